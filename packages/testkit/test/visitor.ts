/** A browser without a screen: keeps cookies by path, follows redirects, and posts forms as they were rendered. */
export class Visitor {
  readonly #cookies = new Map<string, { value: string; path: string }>();
  page = '';
  url = '';

  constructor(readonly origin: string) {}

  async open(path: string): Promise<this> {
    return this.#go(new URL(path, this.url || this.origin), { method: 'GET' });
  }

  /** Posts the page's form (its action, its hidden inputs) with these values. */
  async submit(values: Record<string, string>): Promise<this> {
    return this.#go(this.#formAction(), { method: 'POST', body: new URLSearchParams({ ...this.hiddenInputs(), ...values }) });
  }

  hiddenInputs(): Record<string, string> {
    return Object.fromEntries(
      [...this.page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
    );
  }

  /** The page's words, without markup and script. */
  get text(): string {
    return this.page
      .replace(/<(script|style)[\s\S]*?<\/\1>/g, ' ')
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
  }

  #formAction(): URL {
    const action = /<form[^>]*action="([^"]+)"/.exec(this.page)?.[1];
    if (action === undefined) throw new Error(`No form on ${this.url}`);
    return new URL(action, this.url);
  }

  async #go(url: URL, init: RequestInit): Promise<this> {
    const cookie = [...this.#cookies]
      .filter(([, { path }]) => url.pathname.startsWith(path))
      .map(([name, { value }]) => `${name.split('@')[0]}=${value}`)
      .join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const location = response.headers.get('location');
    if (location !== null) return this.#go(new URL(location, url), { method: 'GET' });
    this.url = response.url;
    this.page = await response.text();
    return this;
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split('=');
    const path = attributes.find((attribute) => attribute.startsWith('Path='))?.slice(5) ?? '/';
    if (attributes.includes('Max-Age=0')) this.#cookies.delete(`${name}@${path}`);
    else this.#cookies.set(`${name}@${path}`, { value, path });
  }
}

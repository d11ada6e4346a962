/** What the demo says to the API: plain HTTP, as any client would. */
export class Client {
  constructor(
    private readonly url: string,
    private readonly key: string,
    private readonly project?: string,
  ) {}

  inProject(id: string): Client {
    return new Client(this.url, this.key, id);
  }

  send(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(this.project === undefined ? {} : { 'x-service-project-id': this.project }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** @throws when the answer is not a success. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.send(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  }
}

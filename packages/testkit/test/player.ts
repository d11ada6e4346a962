import type { BrowserContext, Locator, Page } from 'playwright-core';
import { totpCode, type Account, type AnswerKey, type ExpectedField, type Pause, type Scenario, type Website } from '../src/index.js';
import { wordsOf } from '../src/website/words/index.js';

/** What a person sees at once but no pause asks for: presses by visible text, before the pause of that number (the end is `last`). */
const presses: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  main: { 0: 'Sign in' },
  'header-button': { 0: 'Log in' },
  modal: { 0: 'My account' },
  'cookie-wall': { 0: 'Accept all' },
  'popup-window': { 0: 'Sign in' },
  'methods-single': { 1: 'Text message' },
  'stay-signed-in': { 1: 'Yes' },
  'stay-signed-in-slowly': { 1: 'Yes' },
  'new-terms': { 1: 'I have read them' },
  'front-page': { 1: 'quay' },
  'try-again': { 1: 'Try again' },
};

/** Before the pause of that number a person has nowhere to go on and opens the start again. */
const returns: Readonly<Record<string, number>> = { 'no-way-back': 1, 'join-instead': 1 };

/** How often a pause that may repeat is answered before the end must have come; one answer is enough where it leads to a login. */
const repeats = 2;

/** Plays a journey as its row says, the way a person would: by labels and visible texts, with real keys. */
export class Player {
  constructor(
    readonly site: Website,
    readonly context: BrowserContext,
    readonly scenario: Scenario,
    readonly account: Account,
  ) {}

  async play(): Promise<void> {
    const page = await this.context.newPage();
    const { pauses: asked, end } = this.scenario.expected;
    await page.goto(this.site.startUrl(this.scenario.name)).catch((error: unknown) => {
      // A journey may be over before its first page.
      if (end === 'SUCCESS' || asked.length > 0) throw error;
    });
    const pauses = asked.flatMap((pause) => (pause.repeats && end !== 'SUCCESS' ? Array.from({ length: repeats }, () => pause) : [pause]));
    for (const [at, pause] of pauses.entries()) {
      await this.#told(pause);
      if (returns[this.scenario.name] === at) await page.goto(this.site.startUrl(this.scenario.name));
      await this.#press(at);
      await this.#answer(pause);
    }
    await this.#press(pauses.length);
  }

  /** The page that says who is logged in. */
  async signedInAs(): Promise<string | null> {
    const line = await this.#visible((page) => page.locator('#signed-in-as strong'));
    return line.textContent();
  }

  async #press(at: number): Promise<void> {
    const text = presses[this.scenario.name]?.[at];
    if (text !== undefined) await (await this.#visible((page) => page.getByText(text, { exact: true }))).click();
  }

  async #told({ websiteError, byBrowser }: Pause): Promise<void> {
    if (websiteError !== undefined) await (byBrowser === true ? this.#refused(websiteError) : this.#shows(websiteError));
  }

  async #answer(pause: Pause): Promise<void> {
    for (const choice of pause.choices ?? []) await this.#shows(choice.label);
    if (pause.message !== undefined) await this.#shows(pause.message);
    if (pause.act !== undefined) return this.#act(pause.act);
    if (pause.pick !== undefined) return this.#pick(pause.pick);
    let last: Locator | undefined;
    for (const field of pause.fields ?? []) {
      const box = await this.#box(field);
      if (field.answer === 'branch') {
        await box.selectOption({ label: this.#value(field.answer) });
        continue;
      }
      last = box;
      await last.click();
      await last.press('ControlOrMeta+a');
      await last.pressSequentially(this.#value(field.answer));
    }
    if (pause.unsent !== true) await this.#leaves(() => last?.press('Enter'));
  }

  // The next pause may look the same, so the answer must have reached the site before it is looked for.
  async #leaves(press: () => Promise<void> | undefined): Promise<void> {
    const answered = this.context.waitForEvent('response', (response) => response.request().method() === 'POST');
    await press();
    // A pop-up may close itself before its answer is read; that it came is enough.
    await (await answered).finished().catch(() => null);
  }

  async #act(act: NonNullable<Pause['act']>): Promise<void> {
    await this.#shows('Waiting for you');
    const { username } = this.account;
    const told =
      act === 'open-magic-link'
        ? this.site.openMagicLink(username)
        : this.site.decidePush(username, act === 'approve-push' ? 'approved' : 'refused');
    if (told !== 1) throw new Error(`${told} pages were waiting for ${act}`);
  }

  async #pick(label: string): Promise<void> {
    const select = this.context.pages()[0]?.locator('select[name=choice]');
    if (select && (await select.count()) > 0) {
      const option = await select.locator('option', { hasText: label }).getAttribute('value');
      await select.selectOption(option);
      return (await this.#visible((page) => page.getByRole('button', { name: 'Continue' }))).click();
    }
    const row = this.context.pages()[0]?.locator('li.option', { hasText: label });
    if (row && (await row.count()) > 0) return row.getByRole('button').click();
    await (await this.#visible((page) => page.getByText(label, { exact: true }))).click();
    const radios = this.context.pages()[0]?.locator('input[type=radio]');
    if (radios && (await radios.count()) > 0) await (await this.#visible((page) => page.getByRole('button', { name: 'Continue' }))).click();
  }

  async #refused(text: string): Promise<void> {
    const box = await this.#visible((page) => page.locator('input:invalid'));
    const says = await box.evaluate((element) => (element as { validationMessage?: string }).validationMessage ?? '');
    if (!says.includes(text)) throw new Error(`the browser says "${says}"`);
  }

  /** An option of a list is not drawn before the list is opened; its list is what a person sees. */
  async #shows(text: string): Promise<void> {
    await this.#visible((page) => page.getByText(text).or(page.locator('select', { hasText: text })));
  }

  #box(field: ExpectedField): Promise<Locator> {
    const words = wordsOf[this.scenario.language];
    const labels: Readonly<Record<ExpectedField['type'], readonly string[]>> = {
      identifier: [words.identifier, 'Mobile number'],
      password: [words.password],
      code: [`${words.code} 1`, words.code],
      totp_code: [`${words.code} 1`, words.code],
      totp_secret: ['6-digit code from the app'],
      text: ['What do your friends call you?', 'Branch', 'Workspace', 'Name of ship 1', 'Name of ship 2'],
    };
    return this.#visible((page) =>
      labels[field.type]
        .map((label) => page.getByLabel(label, { exact: true }).or(page.getByPlaceholder(label, { exact: true })))
        .reduce((a, b) => a.or(b))
        .and(page.locator('input, select')),
    );
  }

  /** The first match a person can see, in any window and frame. Waits for it. */
  async #visible(find: (frame: ReturnType<Page['mainFrame']>) => Locator): Promise<Locator> {
    const deadline = Date.now() + 30_000;
    while (Date.now() < deadline) {
      for (const frame of this.context.pages().flatMap((page) => page.frames())) {
        for (const match of await find(frame)
          .all()
          .catch(() => [])) {
          if (await reachable(match)) return match;
        }
      }
      await this.context.pages()[0]?.waitForTimeout(50);
    }
    throw new Error(
      `${this.scenario.name}: not found: ${find(this.context.pages()[0]?.mainFrame() as never).toString()} on ${this.context
        .pages()
        .map((page) => page.url())
        .join(', ')}`,
    );
  }

  #value(answer: AnswerKey): string {
    const { account } = this;
    const values: Readonly<Record<AnswerKey, () => string>> = {
      unknown: () => 'nobody-at-all',
      username: () => account.username,
      email: () => account.email,
      phone: () => account.phone,
      password: () => account.password,
      'wrong-password': () => 'not-the-password',
      sms: () => account.smsCode,
      'email-code': () => account.emailCode,
      totp: () => totpCode(account.totpSecret ?? ''),
      'totp-secret': () => totpCode(account.totpSecret ?? ''),
      'wrong-code': () => '000000',
      'display-name': () => account.displayName,
      workspace: () => 'south-quay',
      branch: () => 'South Quay',
    };
    return values[answer]();
  }
}

async function reachable(match: Locator): Promise<boolean> {
  if (!(await match.isVisible().catch(() => false))) return false;
  const box = await match.boundingBox().catch(() => null);
  const hidden = await match
    .locator('xpath=ancestor-or-self::*[@aria-hidden="true"]')
    .count()
    .then(
      (count) => count > 0,
      () => true,
    );
  return !hidden && box !== null && box.x >= 0 && box.height > 1;
}

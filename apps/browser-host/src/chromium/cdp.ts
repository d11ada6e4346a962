import { WebSocket } from 'ws';
import type { CdpSession } from './cdp-session.js';

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly sessionId?: string;
}

interface Pending {
  readonly method: string;
  readonly session: string | undefined;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

type Listener = (params: never) => void;

/** One session of a connection: the browser's own, or one attached to a target. */
class Session implements CdpSession {
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(
    private readonly connection: CdpConnection,
    readonly id: string | undefined,
  ) {}

  send<T>(method: string, params: object = {}): Promise<T> {
    return this.connection.send(method, params, this.id) as Promise<T>;
  }

  on<P>(event: string, listener: (params: P) => void): void {
    this.#listeners.set(event, (this.#listeners.get(event) ?? new Set()).add(listener));
  }

  off<P>(event: string, listener: (params: P) => void): void {
    this.#listeners.get(event)?.delete(listener);
  }

  emit(event: string, params: unknown): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener(params as never);
  }
}

/** The host's own DevTools connection to a browser, beside those of the callers. */
export class CdpConnection {
  readonly browser: CdpSession;
  /** Resolves when the connection is no more, whoever closed it. */
  readonly closed: Promise<void>;
  readonly #sessions = new Map<string | undefined, Session>();
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;

  private constructor(private readonly socket: WebSocket) {
    const browser = new Session(this, undefined);
    this.browser = browser;
    this.#sessions.set(undefined, browser);
    socket.on('message', (data: Buffer) => this.#receive(JSON.parse(data.toString('utf8')) as Reply));
    socket.on('close', () => this.#fail(new Error('the browser closed the connection'), () => true));
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined);
  }

  get isOpen(): boolean {
    return this.socket.readyState === WebSocket.OPEN;
  }

  static async open(url: string, timeoutMs: number): Promise<CdpConnection> {
    const socket = new WebSocket(url, { perMessageDeflate: false, handshakeTimeout: timeoutMs, maxPayload: 512 * 1024 * 1024 });
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
    return new CdpConnection(socket);
  }

  /** The session of a target attached with `flatten`; events are heard from here on. */
  session(sessionId: string): CdpSession {
    const known = this.#sessions.get(sessionId) ?? new Session(this, sessionId);
    this.#sessions.set(sessionId, known);
    return known;
  }

  send(method: string, params: object, session: string | undefined): Promise<unknown> {
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error(`${method}: the browser is gone`));
      this.#pending.set(id, { method, session, resolve, reject });
      this.socket.send(JSON.stringify({ id, method, params, sessionId: session }));
    });
  }

  close(): void {
    this.socket.terminate();
  }

  #receive(message: Reply): void {
    if (message.id === undefined) {
      const { method = '', params, sessionId } = message;
      this.#sessions.get(sessionId)?.emit(method, params);
      if (method === 'Target.detachedFromTarget') this.#detach((params as { sessionId: string }).sessionId);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.error === undefined) pending?.resolve(message.result);
    else pending?.reject(new Error(`${pending.method}: ${message.error.message}`));
  }

  #detach(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#fail(new Error('the page was closed'), ({ session }) => session === sessionId);
  }

  #fail(error: Error, which: (pending: Pending) => boolean): void {
    for (const [id, pending] of this.#pending) {
      if (!which(pending)) continue;
      this.#pending.delete(id);
      pending.reject(error);
    }
  }
}

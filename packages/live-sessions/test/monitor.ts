import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** One command as Redis executed it; `at`: when, on its clock, ms. */
export type Executed = { readonly at: number } & (
  | {
      readonly kind: 'acquire';
      readonly project: string;
      readonly member: string;
      readonly organizationLimit: number;
      readonly projectLimit: number | null;
    }
  | { readonly kind: 'release'; readonly project: string; readonly members: readonly string[] }
);

/**
 * Redis' own order of the acquires and releases of one organization, taken from MONITOR: what the server executed, in the
 * order it did, whoever sent it. The product is not touched for it.
 */
export class Monitor {
  readonly executed: Executed[] = [];
  readonly #socket: Socket;
  readonly #organizationKey: string;
  #rest = '';

  private constructor(socket: Socket, organizationKey: string) {
    this.#socket = socket;
    this.#organizationKey = organizationKey;
  }

  static async of(port: number, organizationKey: string): Promise<Monitor> {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8');
    await once(socket, 'connect');
    const monitor = new Monitor(socket, organizationKey);
    socket.write('MONITOR\r\n');
    await once(socket, 'data');
    socket.on('data', (text: string) => monitor.#take(text));
    return monitor;
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line.includes('"evalsha"') && line.includes(this.#organizationKey)) this.#note(line);
  }

  #note(line: string): void {
    const at = Number.parseFloat(line.slice(line.indexOf('+') + 1)) * 1_000;
    const words = [...line.matchAll(/"([^"]*)"/g)].map((match) => match[1]!);
    const keyCount = Number(words[2]);
    const project = words[4]!.slice(words[4]!.lastIndexOf(':') + 1);
    const args = words.slice(3 + keyCount);
    if (keyCount === 3 && args.length >= 4 && args[3]!.includes(':')) {
      // One command takes slots for members in turn, so each is an acquire of its own in this order.
      const [organizationLimit, projectLimit] = [Number(args[0]), args[1] === '-1' ? null : Number(args[1])];
      for (const member of args.slice(3).map(bare))
        this.executed.push({ at, kind: 'acquire', project, member, organizationLimit, projectLimit });
    } else if (keyCount === 2 && words[4]!.includes(':live:')) {
      this.executed.push({ at, kind: 'release', project, members: args.map(bare) });
    }
  }

  /** Until everything executed before this call has been seen. */
  async caughtUp(admin: { echo(text: string): Promise<string> }): Promise<void> {
    const mark = `mark-${performance.now()}`;
    const seen = new Promise<void>((resolve) => {
      const look = (text: string): void => {
        if (!text.includes(mark)) return;
        this.#socket.off('data', look);
        resolve();
      };
      this.#socket.on('data', look);
    });
    await admin.echo(mark);
    await seen;
  }

  close(): void {
    this.#socket.destroy();
  }
}

const bare = (stored: string): string => stored.slice(stored.indexOf(':') + 1);

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from '../deployment.js';

/**
 * Asks one question at the terminal. `secret` answers are not echoed.
 * @throws {CliError} when the terminal is closed instead (Ctrl-D, Ctrl-C)
 */
export async function ask(question: string, secret = false): Promise<string> {
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // After the question is shown, whatever readline echoes of a secret is swallowed.
      if (!muted) process.stderr.write(chunk);
      done();
    },
  });
  let muted = false;
  const terminal = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  try {
    process.stderr.write(question);
    muted = secret;
    return await terminal.question('');
  } catch {
    throw new CliError('Nothing was answered. The login waits on; run the command again to go on with it.');
  } finally {
    muted = false;
    if (secret) process.stderr.write('\n');
    terminal.close();
  }
}

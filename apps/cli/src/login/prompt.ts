import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { CliError } from '../deployment.js';

/** The question was taken back before anybody answered: something else has come of it. */
export class TakenBack extends Error {
  override readonly name = 'TakenBack';
}

/**
 * Asks one question at the terminal until `until` is aborted. `secret` answers are not echoed.
 * @throws {CliError} when the terminal is closed instead (Ctrl-D, Ctrl-C), {TakenBack}
 */
export async function ask(question: string, until: AbortSignal, secret = false): Promise<string> {
  let muted = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // After the question is shown, whatever readline echoes of a secret is swallowed.
      if (!muted) process.stderr.write(chunk);
      done();
    },
  });
  const terminal = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  try {
    // Readline's own prompt: it draws the line anew with every key, and what it has not written itself is gone then.
    const answer = terminal.question(question, { signal: until });
    muted = secret;
    return await answer;
  } catch {
    if (until.aborted) throw new TakenBack();
    throw new CliError('Nothing was answered. The login waits on; run the command again to go on with it.');
  } finally {
    muted = false;
    if (secret || until.aborted) process.stderr.write('\n');
    terminal.close();
  }
}

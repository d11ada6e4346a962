import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Asks one question at the terminal. `secret` answers are not echoed. */
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
  } finally {
    muted = false;
    if (secret) process.stderr.write('\n');
    terminal.close();
  }
}

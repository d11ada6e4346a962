import { describe, expect, it } from '@jest/globals';
import { createLogger } from './logger.js';

function linesOf(log: (logger: ReturnType<typeof createLogger>) => void): string {
  let lines = '';
  log(createLogger({ name: 'test', level: 'info', destination: { write: (line: string) => void (lines += line) } }));
  return lines;
}

describe('createLogger', () => {
  it('D45: values under the names that secrets travel under never reach a line, at any depth a log object has', () => {
    const secret = 'hunter2-and-more';
    const lines = linesOf((logger) => {
      logger.info(
        { password: secret, request: { headers: { authorization: secret }, token: secret }, field_values: { a: secret } },
        'a line',
      );
    });
    expect(lines).not.toContain(secret);
    expect(lines).toContain('[redacted]');
  });

  it('D31: tokens in addresses are cut out of error texts and their stacks', () => {
    const lines = linesOf((logger) => logger.error({ err: new Error('could not open ws://host/sessions/a/cdp?token=abcdef') }, 'failed'));
    expect(lines).toContain('ws://host/sessions/a/cdp?…');
    expect(lines).not.toContain('abcdef');
  });

  it('says which system error it was, for whoever is on call', () => {
    const error = Object.assign(new Error('connect failed'), { code: 'ECONNREFUSED' });
    expect(linesOf((logger) => logger.error({ err: error }, 'failed'))).toContain('ECONNREFUSED');
  });
});

import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger } from 'pino';

export interface LoggerOptions {
  /** The app that speaks, on every line. */
  readonly name: string;
  readonly level: string;
  /** Where lines go; standard output when absent. */
  readonly destination?: DestinationStream;
}

const censored = '[redacted]';

/**
 * Names under which a secret could travel. Values under them never reach a line, at any of the depths that our log objects have (D45).
 * Tokens in URLs are cut by `withoutQuery`.
 */
const secretNames = [
  'authorization',
  'cookie',
  '["set-cookie"]',
  'key',
  'token',
  'password',
  'secret',
  'code',
  'otp',
  'totp_secret',
  'values',
  'field_values',
  'fields',
  'value',
  'payload',
  'sealed',
  'cdp_ws_url',
  'webdriver_ws_url',
  'browser_live_view_url',
  'hosted_url',
  'answer',
];
const dotted = (prefix: string): string[] =>
  secretNames.map((name) => (name.startsWith('[') ? `${prefix}${name}` : `${prefix === '' ? '' : `${prefix}.`}${name}`));

function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // Not under `code`: that is the name one-time codes travel under, and redacted wherever it stands.
  return {
    name,
    message: withoutQuery(message),
    error_code: code,
    stack: stack === undefined ? undefined : withoutQuery(stack),
    cause: errorForLog(error.cause),
  };
}

/** Cuts the query of every URL in a text: session tokens travel in queries, and nothing in a log needs them. */
export function withoutQuery(text: string): string {
  return text.replace(/((?:https?|wss?):\/\/[^\s?"'<>]+)\?[^\s"'<>]*/g, '$1?…').replace(/(\/hosted\/)[A-Za-z0-9_-]{16,}/g, '$1…');
}

/** A logger of one JSON object a line: time, level, name, message, and whatever the line is about, secrets redacted. */
export function createLogger({ name, level, destination }: LoggerOptions): Logger {
  const options = {
    name,
    level,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: errorForLog, error: errorForLog },
    redact: { paths: [...dotted(''), ...dotted('*'), ...dotted('*.*')], censor: censored },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

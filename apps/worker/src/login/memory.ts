import { Names, noNames, Requirements } from '@berth/login-flow';
import { z } from 'zod';

const count = z.number().int().default(0);
const SentKind = z.enum(['identifier', 'password', 'code', 'totp_code', 'totp_secret', 'text', 'sso', 'choice', 'external', 'answer']);
export type SentKind = z.infer<typeof SentKind>;

/** What is rejected together: a sign-in form's boxes, or a code (D43). */
export type Kind = 'sign_in' | 'code' | 'other';
export const kindOf: Readonly<Record<Requirements['fields'][number]['type'], Kind>> = {
  identifier: 'sign_in',
  password: 'sign_in',
  code: 'code',
  totp_code: 'code',
  totp_secret: 'other',
  text: 'other',
};

/** What the engine must remember of a flow across workers: stored in `login_flows.memory`, so no values and no secrets of the page. */
export const FlowMemory = z.object({
  names: Names.default(noNames),
  /** The start address has been opened. */
  started: z.boolean().default(false),
  /** Things sent or pressed; the limit is `BERTH_FLOW_MAX_STEPS`. */
  steps: count,
  /** Sign-in links pressed, two at most (D61). */
  entries: count,
  dismissals: count,
  /** Answers of "yes" to "Stay signed in?" and the like. */
  yeses: count,
  /** Rejections with a text of the website, by kind (D43). */
  rejections: z.object({ sign_in: count, code: count, other: count }).default({ sign_in: 0, code: 0, other: 0 }),
  /** How often in a row the same form came back without a word. */
  silent: count,
  /** How often the website has called what was sent too late, or has taken its form away before anything was. */
  renewals: count,
  sent: z.array(SentKind).default([]),
  /** The page as it was at the last submit, texts masked. */
  before: z
    .object({
      url: z.string(),
      documentId: z.string(),
      httpStatus: z.number().optional(),
      alerts: z.array(z.string()),
      plain: z.array(z.string()).default([]),
      asked: z.array(z.string()).default([]),
      boxes: z.array(z.string()).default([]),
      beneath: z.array(z.string()).default([]),
      form: z.enum(['login', 'code', 'question']).nullable().default(null),
      places: z.array(z.string()).default([]),
      folded: z.array(z.string()).default([]),
      offers: z.array(z.string()).default([]),
      menus: count,
      error: z.string().nullable().default(null),
    })
    .nullable()
    .default(null),
  /** The website's text, masked, that went away with the box it stood in; gone with the next submit. */
  told: z.string().nullable().default(null),
  /** What was sent last and has not been judged yet. */
  last: z
    .object({ signature: z.string(), fields: z.array(z.object({ type: Requirements.shape.fields.element.shape.type, ref: z.string() })) })
    .nullable()
    .default(null),
  /** Forms with a password that the website left without a word, once for each time. */
  left: z.array(z.string()).default([]),
  /** Refs whose known value the website refused, and refs whose sending is in doubt after a worker died (D41): both are asked again. */
  rejected: z.array(z.string()).default([]),
  /** Refs of values with which the website has gone on. */
  accepted: z.array(z.string()).default([]),
  inDoubt: z.array(z.string()).default([]),
  /** A choice was pressed and its page is still there: it is not pressed again unasked. */
  choiceInDoubt: z.boolean().default(false),
  requirements: Requirements.default({ fields: [], picks: [], external: false }),
});
export type FlowMemory = z.infer<typeof FlowMemory>;

export const memoryOf = (stored: unknown): FlowMemory => FlowMemory.parse(stored ?? {});

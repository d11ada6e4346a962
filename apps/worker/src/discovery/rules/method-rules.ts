import type { Concept } from '../lexicon/words.js';
import type { MfaType } from '../verdict.js';

export interface MethodRule {
  readonly id: string;
  readonly type: MfaType;
  readonly concepts: readonly Concept[];
  /** What it does not say as well: an app can be asked for a code too. */
  readonly but?: readonly Concept[];
}

/** How a second factor or a way of proving oneself is told from its words: the first that matches wins. */
export const METHOD_RULES: readonly MethodRule[] = [
  { id: 'method/switch', type: 'switch', concepts: ['anotherWay'] },
  { id: 'method/backup_code', type: 'other', concepts: ['backupCode'] },
  { id: 'method/passkey', type: 'passkey', concepts: ['passkey', 'securityKey'] },
  { id: 'method/approve', type: 'push', concepts: ['approve'], but: ['code', 'sms', 'call'] },
  { id: 'method/totp', type: 'totp', concepts: ['authenticator'] },
  { id: 'method/sms', type: 'sms', concepts: ['sms'] },
  { id: 'method/call', type: 'call', concepts: ['call'] },
  { id: 'method/password', type: 'password', concepts: ['withPassword'] },
  { id: 'method/magic_link', type: 'email', concepts: ['magicLink'] },
  { id: 'method/push', type: 'push', concepts: ['push'] },
  { id: 'method/email', type: 'email', concepts: ['emailCode'] },
];

import type { AnswerKey, ExpectedChoice, ExpectedField, MfaType, Pause } from '../scenario.js';
import { signedIn } from '../screen.js';
import type { Onward } from '../screens/credentials.js';

/** The last step of most journeys. */
export const finish: Onward = (_visit, account) => signedIn(account);

export const identifier = (answer: AnswerKey = 'username'): ExpectedField => ({ type: 'identifier', answer });
export const password: ExpectedField = { type: 'password', answer: 'password' };
export const wrongPassword: ExpectedField = { type: 'password', answer: 'wrong-password' };
export const again = (field: ExpectedField): ExpectedField => ({ ...field, reason: 'rejected' });

export const asks = (...fields: ExpectedField[]): Pause => ({ fields });
export const bothFields: Pause = asks(identifier(), password);
export const twoSteps: readonly Pause[] = [asks(identifier()), asks(password)];

export const picks = (pick: string, ...choices: ExpectedChoice[]): Pause => ({ choices, pick });
export const method = (label: string, mfaType: MfaType): ExpectedChoice => ({ type: 'mfa_method', label, mfaType });
export const provider = (label: string): ExpectedChoice => ({ type: 'sso_provider', label });
export const account = (label: string): ExpectedChoice => ({ type: 'account', label });

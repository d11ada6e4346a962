/** Everything a sign-in page says, in one language. `{…}` marks what is filled in. */
export interface Words {
  readonly signIn: string;
  readonly signInTitle: string;
  readonly identifier: string;
  readonly email: string;
  readonly password: string;
  readonly next: string;
  readonly forgot: string;
  readonly signUp: string;
  readonly noAccount: string;
  readonly wrongCredentials: string;
  readonly unknownAccount: string;
  readonly wrongPassword: string;
  readonly codeTitle: string;
  readonly code: string;
  readonly smsSent: string;
  readonly emailSent: string;
  readonly appCode: string;
  readonly wrongCode: string;
  readonly verify: string;
  readonly resend: string;
  readonly welcome: string;
  readonly signedInAs: string;
  readonly signOut: string;
  readonly locked: string;
}

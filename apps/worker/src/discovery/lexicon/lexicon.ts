/**
 * What a phrase on a page can mean. A language gives terms for the concepts it can; all languages are read at once, since
 * pages mix them and often do not say which they are in.
 *
 * Terms are written in lower case; case, accents and punctuation do not matter. A term matches whole words, `*` at its end lets
 * it go on (inflections, compounds), Chinese, Japanese, Korean and Thai terms match anywhere.
 */
export const CONCEPTS = [
  // What a box asks for.
  'username', 'email', 'phone', 'idNumber', 'password', 'pin', 'currentPassword', 'newPassword', 'confirmPassword', 'code', 'authenticator', 'setupKey',
  'backupCode', 'person', 'address', 'payment', 'search', 'captchaAnswer', 'question',
  // What a button does.
  // `enter`: words that mean a login only when they are all a button says.
  'signIn', 'enter', 'signUp', 'next', 'submit', 'verify', 'signOut', 'forgot', 'remember', 'resend', 'back', 'show', 'subscribe', 'help', 'guest', 'accept', 'reject', 'close',
  'yes', 'no', 'allow', 'deny', 'select',
  // Ways to sign in.
  'continueWith', 'sso', 'sms', 'call', 'push', 'passkey', 'securityKey', 'emailCode', 'magicLink', 'withPassword', 'anotherWay', 'chooseMethod', 'or',
  // What a page says.
  'cookies', 'staySignedIn', 'consent', 'chooseAccount', 'anotherAccount', 'chooseOrganization', 'pushWait', 'linkSent', 'codeSent', 'callWait', 'scanCode', 'human', 'mustChange',
  'changePassword', 'resetPassword', 'newsletter', 'terms', 'account', 'myAccount', 'greeting', 'wrong', 'failure', 'refused', 'success',
] as const;

export type Concept = (typeof CONCEPTS)[number];
export type Lexicon = Partial<Record<Concept, readonly string[]>>;

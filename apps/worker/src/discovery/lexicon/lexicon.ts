/**
 * What a phrase on a page can mean. A language gives terms for the concepts it can; all languages are read at once, since
 * pages mix them and often do not say which they are in.
 *
 * Terms are written in lower case; case, accents and punctuation do not matter. A term matches whole words, `*` at its end lets
 * it go on (inflections, compounds), Chinese, Japanese, Korean and Thai terms match anywhere.
 */
export const CONCEPTS = [
  // What a box asks for. `oneTimeCode`: words for a code that hold one for something else, a password or a number.
  'username', 'email', 'phone', 'idNumber', 'password', 'pin', 'currentPassword', 'newPassword', 'confirmPassword', 'secondPassword', 'repeated', 'code', 'oneTimeCode', 'authenticator', 'setupKey',
  // `optional`: may be left as it is.
  // `lettered`: what a code is made of, when not of digits.
  // `tenant`: whose part of a website it is, asked before who comes. `branch`, `bankAccount`: the two halves of a number at a bank.
  'branch', 'bankAccount', 'backupCode', 'lettered', 'person', 'address', 'payment', 'coupon', 'search', 'optional', 'captchaAnswer', 'question', 'tenant',
  // What a button does.
  // `sendCode`: has a code sent that its own form asks for.
  // `later`: goes on without what a page asks for, for now.
  // `enter`: words that mean a login only when they are all a button says. `signIns`: logins as something to look at, which is no way in.
  'signIn', 'enter', 'signIns', 'signUp', 'next', 'submit', 'verify', 'signOut', 'forgot', 'remember', 'resend', 'sendCode', 'retry', 'back', 'show', 'subscribe', 'help', 'guest', 'later', 'without', 'getApp', 'accept', 'reject', 'close',
  // `mine`: this sign-in is one's own. `leave`: off the way, to the front page or to somebody who helps.
  'yes', 'no', 'allow', 'deny', 'select', 'mine', 'leave',
  // `elsewhere`: what else is open of an account, beside where one is.
  'elsewhere',
  // `work`: what applications do with what is in them, when it is all a button says.
  'work',
  // Ways to sign in. `approve`: by saying yes to a request in an app, whatever the app is called.
  'continueWith', 'sso', 'sms', 'call', 'push', 'approve', 'passkey', 'securityKey', 'emailCode', 'magicLink', 'withPassword', 'anotherWay', 'chooseMethod', 'or',
  // What a page says. `signedIn`: that somebody is in, and no more. `provided`: that holds only when something else does, `timed`: or did. `chooseBranch`: where, or as what, somebody works today. `contents`: it is where everything of a website begins. `pick`: it asks for one of what it lists. `human`: it wants no machine, `securityCheck`: or only to be sure of something. `expired`: whoever fills in a form took too long. `barred`: nobody's fault, and no way on all the same: maintenance, a queue, a review, another session, another browser. `lockedOut`: the account itself is closed, whatever is typed. `attemptsLeft`: not yet. `onDevice` and `approves`: together, what is to be done elsewhere. `outage`: something of the website's own does not work. `noAccess`: who is known, and may do nothing here. `passing`: it is about to go on.
  'cookies', 'staySignedIn', 'consent', 'contents', 'pick', 'chooseAccount', 'anotherAccount', 'chooseOrganization', 'chooseBranch', 'pushWait', 'linkSent', 'codeSent', 'callWait', 'scanCode', 'human', 'securityCheck', 'mustChange',
  'changePassword', 'resetPassword', 'newsletter', 'terms', 'account', 'myAccount', 'greeting', 'signedIn', 'provided', 'timed', 'wrong', 'failure', 'refused', 'expired', 'barred', 'lockedOut', 'attemptsLeft', 'onDevice', 'approves', 'outage', 'noAccess', 'success', 'passing',
] as const;

export type Concept = (typeof CONCEPTS)[number];
export type Lexicon = Partial<Record<Concept, readonly string[]>>;

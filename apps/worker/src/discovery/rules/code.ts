import { says } from '../lexicon/words.js';
import type { FieldRule } from './field-rules.js';

export const CODE_RULES: readonly FieldRule[] = [
  {
    meaning: 'code',
    autocomplete: ['one-time-code'],
    concepts: ['code', 'oneTimeCode', 'backupCode'],
    name: /otp|one_?time|totp|(^|[ _-])[mt2]?fa([ _-]|$)|2fa_?code|verif\w*[_-]?(code|pin|token)|auth\w*_?(code|token)|security_?code|sms_?code|pass_?code|two_?factor|(^|[ _[-])(code|token|pin|tan|digit)([ _\]\d-]|$)|challenge|email_?code|confirm\w*_?code|code_?(given|input|field|\d)|backup_?code|recovery_?code/,
    shape: ({ control }) =>
      (control.maxLength !== null && control.maxLength >= 4 && control.maxLength <= 8 && control.type !== 'password') ||
      control.inputMode === 'numeric' ||
      /^\[0-9\]|^\\d/.test(control.pattern),
  },
  {
    meaning: 'authenticator_code',
    concepts: ['authenticator'],
    name: /totp|authenticator|google_?auth/,
    weights: { label: 2, aria: 2, neighbour: 1, placeholder: 2, name: 2 },
  },
  { meaning: 'totp_secret', concepts: ['setupKey'], name: /totp_?secret|secret_?key|setup_?key|otp_?seed/ },
  {
    meaning: 'captcha',
    concepts: ['captchaAnswer'],
    name: /captcha|kaptcha|(^|[ _-])vcode|valid(ate)?_?code|check_?code|img_?code|image_?code|rand_?code|verify_?code_?img|securimage/,
    weights: { name: 7, label: 8, placeholder: 7, neighbour: 6, aria: 8 },
  },
  {
    meaning: 'question',
    concepts: ['question'],
    name: /secret_?(question|answer)|security_?answer|memorable|challenge_?answer/,
    // A lone "answer" near a box is weak; on the label it is the question itself.
    shape: (evidence) => says('question', evidence.label),
  },
];

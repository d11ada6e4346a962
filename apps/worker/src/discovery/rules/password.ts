import type { FieldRule } from './field-rules.js';

export const PASSWORD_RULES: readonly FieldRule[] = [
  {
    meaning: 'password',
    autocomplete: ['current-password'],
    type: ['password'],
    concepts: ['password', 'pin', 'currentPassword'],
    name: /pass(?!port|enger|_?code)|pwd|passwd|pswd|pword|contrase|senha|kennwort|mot_?de_?passe|mdp|haslo|heslo|parol|wachtwoord|clave|losen/,
  },
  {
    meaning: 'new_password',
    autocomplete: ['new-password'],
    concepts: ['newPassword', 'confirmPassword'],
    name: /(new|confirm|repeat|re_?type|re_?enter|verify|again|register|signup|create|conf)[_-]?.{0,8}(pass|pwd|pw\b)|(pass|pwd|password)[_-]?.{0,4}(new|confirm|repeat|again|2|verif|conf|check)/,
  },
];

import type { FieldRule } from './field-rules.js';

export const IDENTIFIER_RULES: readonly FieldRule[] = [
  {
    meaning: 'username',
    autocomplete: ['username', 'webauthn'],
    concepts: ['username', 'idNumber'],
    name: /user(?!_?(agent|type|lang|role|label|code|key|token))|usr|log_?in|logon|sign_?in|(^|[ _.:$-])uid|acc(oun)?t|member|customer|client|nick|handle|identif|(^|[ _.$-])id( |$)|cpf|dni|rut\b|benutzer|usuario|utente|utilis|kunde|screen_?name|net_?id|card_?n/,
  },
  { meaning: 'email', autocomplete: ['email'], type: ['email'], concepts: ['email'], name: /e[-_ ]?mail|courriel|correo|(^|[ _-])mail/ },
  {
    meaning: 'phone',
    autocomplete: ['tel', 'tel-national', 'tel-local', 'mobile'],
    concepts: ['phone'],
    name: /phone|mobile|(^|[ _-])(tel|cell|msisdn)([ _-]|$)|telefon|handy|celular/,
    // Number pads are for codes and years too.
    type: ['tel'],
    weights: { type: 2 },
  },
];

import { ACCOUNT_FORMS } from './account.js';
import { ASIDE_FORMS } from './aside.js';
import { CODE_FORMS } from './code.js';
import type { FormRule } from './form-rule.js';
import { LOGIN_FORMS } from './login.js';
import { QUESTION_FORMS } from './question.js';

/** All of them. Questions come last, so that words for anything else decide between equals. */
export const FORM_RULES: readonly FormRule[] = [...LOGIN_FORMS, ...ACCOUNT_FORMS, ...CODE_FORMS, ...ASIDE_FORMS, ...QUESTION_FORMS];

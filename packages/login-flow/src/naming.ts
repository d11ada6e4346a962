import { ChoiceType, FieldType } from '@berth/schema';
import { z } from 'zod';

/** Ids given out in a flow, so that the same field or choice keeps its id on every page, in every worker (D60). No values. */
export const Names = z.object({
  fields: z.array(z.object({ id: z.string(), type: FieldType, ref: z.string() })),
  choices: z.array(z.object({ id: z.string(), type: ChoiceType, key: z.string(), selector: z.string() })),
});
export type Names = z.infer<typeof Names>;

export const noNames: Names = { fields: [], choices: [] };

export interface FieldToName {
  readonly type: FieldType;
  /** `username`, `password`, `code`, `totp_secret` or a slug of the label; unique on its page. */
  readonly ref: string;
}

export interface ChoiceToName {
  readonly type: ChoiceType;
  /** What makes it this choice: method and destination, provider, or label. */
  readonly key: string;
  readonly selector: string;
}

export interface Named {
  readonly names: Names;
  readonly fieldIds: readonly string[];
  readonly choiceIds: readonly string[];
}

function free(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  for (let n = 2; ; n += 1) if (!taken.has(`${wanted}_${n}`)) return `${wanted}_${n}`;
}

/** Choice ids hold a number, not a slug: the label of an account is an identifier, and ids end up in logs (D45). */
const choicePrefix: Readonly<Record<ChoiceType, string>> = {
  mfa_method: 'mfa',
  sso_provider: 'sso',
  sign_in_method: 'method',
  auth_method: 'auth',
  identifier_method: 'identifier',
  account: 'account',
  other: 'option',
};

/** A code is a code, whatever a page of it comes to say about where it is from: an answer under its id stays one. */
const kin = (type: FieldType): FieldType => (type === 'totp_code' ? 'code' : type);

const withoutNumbers = (key: string): string => key.replace(/\d+/g, '#');

/**
 * Ids for what a page shows, reusing those of earlier pages of the flow. A choice is recognised by what it says; one whose text only counts
 * ("resend in 29 s") also by its place. Pure.
 */
export function nameAll(names: Names, fields: readonly FieldToName[], choices: readonly ChoiceToName[]): Named {
  const known = { fields: [...names.fields], choices: [...names.choices] };
  const used = new Set<string>();
  const fieldIds = fields.map(({ type, ref }) => {
    const unused = known.fields.filter((field) => field.ref === ref && !used.has(field.id));
    const old = unused.find((field) => field.type === type) ?? unused.find((field) => kin(field.type) === kin(type));
    const id = old?.id ?? free(ref, new Set(known.fields.map((field) => field.id)));
    if (old === undefined) known.fields.push({ id, type, ref });
    used.add(id);
    return id;
  });
  const choiceIds = choices.map((choice) => {
    const unused = known.choices.filter(({ id, type }) => type === choice.type && !used.has(id));
    const old =
      unused.find(({ key }) => key === choice.key) ??
      unused.find(({ key, selector }) => selector === choice.selector && withoutNumbers(key) === withoutNumbers(choice.key));
    const id = old?.id ?? `${choicePrefix[choice.type]}_${known.choices.filter(({ type }) => type === choice.type).length + 1}`;
    if (old === undefined) known.choices.push({ id, ...choice });
    else known.choices[known.choices.indexOf(old)] = { id, ...choice };
    used.add(id);
    return id;
  });
  return { names: known, fieldIds, choiceIds };
}

import { DisplayName } from '@berth/schema';
import { InvalidArgumentError } from 'commander';

/** A name of a command, as the API takes one: trimmed and in NFC (D16). */
export function displayName(text: string): string {
  const name = DisplayName.safeParse(text);
  if (!name.success) throw new InvalidArgumentError(`${name.error.issues.map(({ message }) => message).join(', ')}.`);
  return name.data;
}

import { foldName } from '@berth/schema';

/**
 * A text parameter of a list as its statement takes it: folded as names are, never by the database's locale (D15, D16); null where nothing
 * is asked.
 */
export function textFilter(given: string | undefined): string | null {
  return given === undefined ? null : foldName(given);
}

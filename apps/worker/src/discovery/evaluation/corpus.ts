import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type Tier = 'hand' | 'generated' | 'rule';

export interface GoldField {
  readonly label: string;
  readonly selector: string;
  readonly visible: boolean;
}

export interface GoldSubmit {
  readonly selector: string;
  readonly visible: boolean;
}

export interface GoldPage {
  readonly file: string;
  readonly page_kind: 'login' | 'signup' | 'reset' | 'other';
  readonly label_tier: Tier;
  readonly fields: readonly GoldField[];
  /** Null: submits are not labelled on this page. */
  readonly login_submit: boolean | null;
  readonly submits: readonly GoldSubmit[];
  readonly flags: readonly string[];
  readonly ddg_known_failures: readonly string[];
  readonly ddg_submit_false_negatives: number;
  readonly ddg_submit_false_positives: number;
}

/** Reads `index.json` of a folder in the format of `shared/login-forms`. @throws if there is none */
export async function readCorpus(folder: string): Promise<readonly GoldPage[]> {
  const index = JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')) as { pages?: readonly GoldPage[] };
  if (!Array.isArray(index.pages)) throw new Error(`${join(folder, 'index.json')} has no list of pages.`);
  return index.pages as readonly GoldPage[];
}

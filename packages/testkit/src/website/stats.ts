import { randomBytes } from 'node:crypto';

/** What became of one post: the step was passed, its values were refused, or the same rendered form had been posted before. */
export type Verdict = 'accepted' | 'rejected' | 'duplicate';

/** One post of one form. Names of the filled fields are kept, never their values. */
export interface Submission {
  readonly scenario: string;
  readonly step: string;
  readonly verdict: Verdict;
  readonly filled: readonly string[];
  readonly username?: string;
  readonly at: string;
}

export interface StepCount {
  posts: number;
  accepted: number;
  rejected: number;
  /** Posts that carried the nonce of a form already posted: a double submission. */
  duplicate: number;
}

export type Counts = Record<string, Record<string, StepCount>>;

/** Counts every form post by scenario and step, and tells double submissions by the nonce each rendered form carries. */
export class Stats {
  readonly #live = new Set<string>();
  readonly #spentBy = new Map<string, string>();
  #submissions: Submission[] = [];

  /** A nonce for one rendering of one form. */
  issueNonce(): string {
    const nonce = randomBytes(12).toString('base64url');
    this.#live.add(nonce);
    return nonce;
  }

  /** True the first time a nonce that was issued here comes back. */
  redeem(nonce: string): boolean {
    return this.#live.delete(nonce);
  }

  /** A duplicate belongs to whoever posted that nonce first, even when the browser has moved on to a session since. */
  record(nonce: string, submission: Omit<Submission, 'at'>): void {
    const username = submission.username ?? this.#spentBy.get(nonce);
    if (username !== undefined) this.#spentBy.set(nonce, username);
    this.#submissions.push({ ...submission, ...(username === undefined ? {} : { username }), at: new Date().toISOString() });
  }

  /** In order of arrival. With a user name, only the posts known to be that person's. */
  submissions(filter: { scenario?: string; username?: string } = {}): readonly Submission[] {
    return this.#submissions.filter(
      (one) =>
        (filter.scenario === undefined || one.scenario === filter.scenario) &&
        (filter.username === undefined || one.username === filter.username),
    );
  }

  counts(filter: { username?: string } = {}): Counts {
    const counts: Counts = {};
    for (const { scenario, step, verdict } of this.submissions(filter)) {
      const count = ((counts[scenario] ??= {})[step] ??= { posts: 0, accepted: 0, rejected: 0, duplicate: 0 });
      count.posts += 1;
      count[verdict] += 1;
    }
    return counts;
  }

  /** Posts of one step, all verdicts together. */
  posts(scenario: string, step: string): number {
    return this.counts()[scenario]?.[step]?.posts ?? 0;
  }

  reset(): void {
    this.#submissions = [];
  }
}

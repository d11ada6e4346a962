/** What a benchmark answers: ratios against its floor in the same run, and the figures they came from. */
export interface BenchResult {
  readonly bench: string;
  readonly ratios: Readonly<Record<string, number>>;
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface BenchOptions {
  /** An empty folder for the servers a benchmark starts; removed afterwards. */
  readonly workDir: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

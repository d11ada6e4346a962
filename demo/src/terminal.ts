const started = Date.now();

/** Seconds since the demo began, as a column. */
function elapsed(): string {
  return `${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s`;
}

/** Announces a chapter of the demo. */
export function chapter(title: string): void {
  process.stdout.write(`\n${elapsed()}  ${title}\n`);
}

/** Tells one thing that was seen to be so. */
export function tell(line: string): void {
  process.stdout.write(`          · ${line}\n`);
}

/** Something that the demo shows did not hold: the demo fails. */
export function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`This should hold and does not: ${what}`);
}

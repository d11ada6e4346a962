/** Prints rows as columns as wide as their widest cell; an empty table says so. */
export function printTable(headers: readonly string[], rows: readonly (readonly (string | number | boolean | null | undefined)[])[]): void {
  if (rows.length === 0) {
    process.stdout.write('(none)\n');
    return;
  }
  const cells = [headers, ...rows.map((row) => row.map((cell) => (cell === null || cell === undefined ? '-' : String(cell))))];
  const widths = headers.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)));
  for (const row of cells) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd()}\n`,
    );
  }
}

/** Prints one record as `name  value` lines. */
export function printRecord(record: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(record);
  const width = Math.max(...names.map((name) => name.length));
  for (const name of names) {
    const value = record[name];
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    process.stdout.write(`${name.padEnd(width)}  ${shown ?? '-'}\n`);
  }
}

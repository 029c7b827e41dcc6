/** Formats rows as aligned columns with headings. Returns one line if there are no rows. */
export function tableLines(names: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return ["There are none."];
  const all = [names, ...rows];
  const widths = names.map((_name, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

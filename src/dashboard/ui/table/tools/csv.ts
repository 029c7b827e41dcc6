type Cell = string | number | boolean | null | undefined;

/** Writes rows as RFC 4180 says. */
export function writeCsv(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(toField).join(",")}\r\n`).join("");
}

/** Where another cell begins in spreadsheets that separate by other marks, as those of many countries do. */
const LATER_FORMULA = /([;\t\r\n])(["' ]{0,9}[=+\-@])(?! )/g;

/** Spreadsheets would run a text that begins like a formula. */
function toField(value: Cell): string {
  const text = String(value ?? "");
  const isFormula = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text));
  const safe = (isFormula ? `'${text}` : text).replaceAll(LATER_FORMULA, "$1'$2");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Writes records as CSV: a column for each field, named by its path, such as `agent.name`. Lists are JSON. */
export function toCsv(records: readonly object[]): string {
  const flat = records.map((record) => new Map(listFields(record, "")));
  const names = [...new Set(flat.flatMap((fields) => [...fields.keys()]))];
  return writeCsv([names, ...flat.map((fields) => names.map((name) => fields.get(name)))]);
}

function listFields(record: object, path: string): [string, Cell][] {
  return Object.entries(record).flatMap(([name, value]: [string, unknown]): [string, Cell][] => {
    if (name === "__typename" || name === "id") return [];
    if (typeof value !== "object" || value === null) return [[path + name, toCell(value)]];
    return Array.isArray(value)
      ? [[path + name, JSON.stringify(value)]]
      : listFields(value, `${path}${name}.`);
  });
}

function toCell(value: unknown): Cell {
  const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  return isPlain ? value : null;
}

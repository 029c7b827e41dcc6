/**
 * Writes an array of values as PostgreSQL reads it, several times as fast as pg does. Undefined if it has others than
 * texts, numbers, truth values and nulls: these are for pg.
 *
 * @see https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO
 */
export function toArrayLiteral(values: readonly unknown[]): string | undefined {
  let literal = "";
  for (const value of values) {
    const element = toElement(value);
    if (element === undefined) return undefined;
    literal += literal === "" ? element : `,${element}`;
  }
  return `{${literal}}`;
}

function toElement(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return `"${escape(value)}"`;
    case "number":
    case "bigint":
    case "boolean":
      return `${value}`;
    default:
      return value === null || value === undefined ? "NULL" : undefined;
  }
}

function escape(text: string): string {
  const doubled = text.includes("\\") ? text.replaceAll("\\", String.raw`\\`) : text;
  return doubled.includes('"') ? doubled.replaceAll('"', String.raw`\"`) : doubled;
}

const WIDTH = 56;

/** How a value is written: as JSON, or as TypeScript with names that need no quotes. */
export type Notation = "json" | "typescript";

/** Writes a value, on one line where it fits. `indent` is the column of the lines that follow the first. */
export function writeLiteral(value: unknown, notation: Notation, indent = 0): string {
  const inline = writeInline(value, notation);
  if (typeof value !== "object" || value === null || inline.length + indent <= WIDTH) return inline;
  const inner = indent + 2;
  const lines = Array.isArray(value)
    ? value.map((item) => writeLiteral(item, notation, inner))
    : Object.entries(value).map(
        ([name, member]) => `${writeName(name, notation)}: ${writeLiteral(member, notation, inner)}`,
      );
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const last = notation === "typescript" ? "," : "";
  const pad = " ".repeat(inner);
  return `${open}\n${pad}${lines.join(`,\n${pad}`)}${last}\n${" ".repeat(indent)}${close}`;
}

function writeInline(value: unknown, notation: Notation): string {
  if (Array.isArray(value)) return `[${value.map((item) => writeInline(item, notation)).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${writeName(name, notation)}: ${writeInline(member, notation)}`,
  );
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function writeName(name: string, notation: Notation): string {
  return notation === "typescript" && /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
}

import {
  COMPARISONS,
  type Comparison,
  type TypedRow,
  WEEKDAYS,
  isOptional,
  toConjunct,
} from "./to-conjunct.ts";
import { splitConjuncts, tokenize } from "./split-conjuncts.ts";

/** A part of a condition that must hold, and the row that it is; null if it is of no such shape. */
export type ConditionPart = { text: string; row: TypedRow | null };

/** Reads a condition as the rows that write it, and as texts where none does. */
export function readRows(when: string): ConditionPart[] {
  const conjuncts = splitConjuncts(when);
  const parts: ConditionPart[] = [];
  for (let at = 0; at < conjuncts.length;) {
    const { count, ...part } = readLongest(conjuncts.slice(at, at + MOST_JOINED));
    parts.push(part);
    at += count;
  }
  return parts;
}

/** The most conjuncts of a row: one for each step of its path, and the comparison. */
const MOST_JOINED = 12;

/** As many conjuncts as make one row. */
function readLongest(conjuncts: readonly string[]): ConditionPart & { count: number } {
  for (let count = conjuncts.length; count > 0; count--) {
    const text = conjuncts.slice(0, count).join(" && ");
    const row = readRow(text);
    if (row !== null) return { text, row, count };
  }
  return { text: conjuncts[0] ?? "", row: null, count: 1 };
}

/** The row that writes this text, whatever its spaces and quotes. */
function readRow(text: string): TypedRow | null {
  const normal = normalize(text);
  return listCandidates(normal).find((row) => isWrittenBy(row, normal)) ?? null;
}

function isWrittenBy(row: TypedRow, normal: string): boolean {
  const written = toConjunct(row);
  return !/[\n\r]/.test(row.value) && "text" in written && normalize(written.text) === normal;
}

const GUARDS = String.raw`(?:!?\(?has\([\w.]+\)(?: && has\([\w.]+\))*\)? (?:&&|\|\|) )?`;
const COMPARED = new RegExp(String.raw`^${GUARDS}([\w.]+?)(?: (==|!=|<=?|>=?|in) (.+)|\.(glob)\((.+)\))$`);
const TESTED = /^!?\(?(?:has\([\w.]+\) && )*has\(([\w.]+)\)\)?$/;
const CLOCK = /^now\.(getHours|getDayOfWeek)\((?:"([^"\\]*)")?\) (==|!=|<=?|>=?|in) (.+)$/;

const COMPARISON_OF: Readonly<Record<string, Comparison>> = {
  "==": "is",
  "!=": "isNot",
  "<": "less",
  "<=": "atMost",
  ">": "more",
  ">=": "atLeast",
  in: "oneOf",
  glob: "glob",
};

/** Rows that may have written a text. */
function listCandidates(normal: string): TypedRow[] {
  const clock = CLOCK.exec(normal);
  if (clock !== null) return [toClockRow(clock)];
  const [, tested] = TESTED.exec(normal) ?? [];
  if (tested !== undefined) {
    return COMPARISONS.filter((one) => one === "present" || one === "absent").map((comparison) => ({
      path: tested,
      comparison,
      value: "",
      holdsIfMissing: true,
      zone: "",
    }));
  }
  const [, path = "", operator, operand, glob, pattern] = COMPARED.exec(normal) ?? [];
  const comparison = COMPARISON_OF[operator ?? glob ?? ""];
  if (comparison === undefined) return [];
  const value = toTyped(operand ?? pattern ?? "", comparison);
  const missing = isOptional(path) ? [true, false] : [true];
  return missing.map((holdsIfMissing) => ({ path, comparison, value, holdsIfMissing, zone: "" }));
}

function toClockRow([, method, zone = "", operator = "", operand = ""]: readonly (
  | string
  | undefined
)[]): TypedRow {
  const isHour = method === "getHours";
  const numbers = operand.replaceAll(/[[\]]/g, "").split(", ");
  return {
    path: isHour ? "hour" : "weekday",
    comparison: COMPARISON_OF[operator] ?? "is",
    value: (isHour ? numbers : numbers.map((day) => WEEKDAYS[Number(day)] ?? "")).join(", "),
    holdsIfMissing: true,
    zone,
  };
}

/** A literal, or the literals of a list, as they would be entered. */
function toTyped(operand: string, comparison: Comparison): string {
  if (comparison === "glob") return parseText(operand);
  if (comparison !== "oneOf") return toTypedLiteral(operand);
  return operand.slice(1, -1).split(", ").map(toTypedLiteral).join(", ");
}

/** In quotes where it would mean something else without. */
function toTypedLiteral(literal: string): string {
  if (!literal.startsWith('"')) return literal;
  const text = parseText(literal);
  const isPlain = text.trim() === text && !/^(?:-?[\d.]+|true|false|null|".*"|)$/.test(text);
  return isPlain ? text : `"${text}"`;
}

function parseText(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return "";
  }
}

const SPACED = new Set(["&&", "||", "==", "!=", "<", "<=", ">", ">=", "in"]);

/** One way to write it: double quotes, and spaces only around operators and after commas. */
function normalize(text: string): string {
  return tokenize(text)
    .map(({ text: token }) => {
      if (SPACED.has(token)) return ` ${token} `;
      if (token === ",") return ", ";
      return token.startsWith("'") && token.length > 1 ? JSON.stringify(token.slice(1, -1)) : token;
    })
    .join("");
}

/** What a row compares. */
export const COMPARISONS = [
  ...(["is", "isNot", "less", "atMost", "more", "atLeast", "oneOf", "glob", "present", "absent"] as const),
];

export type Comparison = (typeof COMPARISONS)[number];

/** A row of a condition, as it is entered. */
export type TypedRow = {
  path: string;
  comparison: Comparison;
  value: string;
  /** Whether it holds where the value is missing. */
  holdsIfMissing: boolean;
};

const PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|^environment$/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** What a request or labels may lack. Everything else is always known. */
const OPTIONAL = [
  ...["args", "request", "action.properties", "subject.properties", "resource.properties"],
  ...["agent.labels", "resource.labels"],
];

const OPERATORS: Partial<Record<Comparison, string>> = {
  ...{ is: "==", isNot: "!=", less: "<", atMost: "<=", more: ">", atLeast: ">=" },
};

/** Whether a path may be missing. */
export function isOptional(path: string): boolean {
  return OPTIONAL.some((root) => path.startsWith(`${root}.`));
}

/** Writes a row in CEL. @returns the text, or what is wrong with a field. */
export function toConjunct(row: TypedRow): { text: string } | { field: "path" | "value"; problem: string } {
  const path = row.path.trim();
  if (!PATH.test(path))
    return { field: "path", problem: "Enter names with dots between them, such as args.amount." };
  const guard = isOptional(path) ? listGuards(path).join(" && ") : null;
  if (row.comparison === "present") return { text: guard ?? "true" };
  if (row.comparison === "absent") return { text: guard === null ? "false" : negate(guard) };
  const compared = compare(path, row);
  if ("problem" in compared || guard === null) return compared;
  const { text } = compared;
  return { text: row.holdsIfMissing ? `${negate(guard)} || ${text}` : `${guard} && ${text}` };
}

/** Joins a condition and another one that must hold too. */
export function joinConditions(condition: string, added: string): string {
  return condition.trim() === "" ? added : `${group(condition.trim())} && ${group(added)}`;
}

/** `has` of a member of something missing can't be evaluated, so that each step is asked for. */
function listGuards(path: string): string[] {
  const root = OPTIONAL.find((one) => path.startsWith(`${one}.`)) ?? "";
  const names = path.slice(root.length + 1).split(".");
  return names.map((_, place) => `has(${[root, ...names.slice(0, place + 1)].join(".")})`);
}

function negate(guard: string): string {
  return guard.includes("&&") ? `!(${guard})` : `!${guard}`;
}

function compare(
  path: string,
  { comparison, value }: TypedRow,
): { text: string } | { field: "value"; problem: string } {
  const operator = OPERATORS[comparison];
  if (comparison === "glob") return { text: `${path}.glob(${JSON.stringify(value)})` };
  if (comparison === "oneOf") return { text: `${path} in [${toList(value)}]` };
  const isOrder = comparison !== "is" && comparison !== "isNot";
  if (isOrder && !NUMBER.test(value.trim())) return { field: "value", problem: "Enter a number." };
  return { text: `${path} ${operator} ${toLiteral(value)}` };
}

/** Members of a list have one type: decimal numbers, whole ones, or texts. */
function toList(typed: string): string {
  const values = typed.split(",").map((value) => value.trim());
  if (!values.every((value) => NUMBER.test(value))) return values.map(toText).join(", ");
  const isDecimal = values.some((value) => value.includes("."));
  return values.map((value) => (isDecimal && !value.includes(".") ? `${value}.0` : value)).join(", ");
}

const WORDS = new Set(["true", "false", "null"]);

/** A number, true, false or null; else a text. In quotes, always a text. */
function toLiteral(typed: string): string {
  const text = typed.trim();
  if (NUMBER.test(text) || WORDS.has(text)) return text;
  return toText(text);
}

function toText(text: string): string {
  return JSON.stringify(/^".*"$/.test(text) ? text.slice(1, -1) : text);
}

function group(condition: string): string {
  return condition.includes("||") || condition.includes("?") ? `(${condition})` : condition;
}

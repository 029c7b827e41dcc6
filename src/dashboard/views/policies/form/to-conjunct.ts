/** What a row compares. */
export const COMPARISONS = [
  ...(["is", "isNot", "less", "atMost", "more", "atLeast", "oneOf", "glob", "present", "absent"] as const),
];

export type Comparison = (typeof COMPARISONS)[number];

/** A row of a condition, as it is entered. */
export type TypedRow = {
  /** `hour` and `weekday` are of now, in the time zone. */
  path: string;
  comparison: Comparison;
  value: string;
  /** Whether it holds where the value is missing. */
  holdsIfMissing: boolean;
  /** A name such as Europe/Berlin. "" is UTC. */
  zone: string;
};

/** What the clock says, by the paths of rows. */
const CLOCK = { hour: "getHours", weekday: "getDayOfWeek" } as const;

type ClockPath = keyof typeof CLOCK;

/** The days of a week, as CEL counts them. */
export const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

const PATH = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|^environment$/;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** What a request or labels may lack. Everything else is always known. */
const OPTIONAL = [
  ...["args", "request", "action.properties", "subject.properties", "resource.properties"],
  ...["agent.labels", "resource.labels"],
];

const OPERATORS: Partial<Record<Comparison, string>> = {
  is: "==",
  isNot: "!=",
  less: "<",
  atMost: "<=",
  more: ">",
  atLeast: ">=",
};

/** Whether a path may be missing. */
export function isOptional(path: string): boolean {
  return OPTIONAL.some((root) => path.startsWith(`${root}.`));
}

/** Whether a row is about the time of now. */
export function isClock(path: string): path is ClockPath {
  return Object.hasOwn(CLOCK, path);
}

type RowProblem = { field: "path" | "value" | "zone"; problem: string };

/** Writes a row in CEL. @returns the text, or what is wrong with a field. */
export function toConjunct(row: TypedRow): { text: string } | RowProblem {
  const path = row.path.trim();
  if (isClock(path)) return compareClock(path, row);
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

/** Joins conditions that must all hold. */
export function joinConditions(conditions: readonly string[]): string {
  const said = conditions.map((one) => one.trim()).filter((one) => one !== "");
  return said.length < 2 ? said.join("") : said.map(group).join(" && ");
}

const ZONE = /^[A-Za-z][\w+/-]{0,63}$/;

function compareClock(path: ClockPath, { comparison, value, zone }: TypedRow): { text: string } | RowProblem {
  const name = zone.trim();
  if (name !== "" && !ZONE.test(name)) {
    return { field: "zone", problem: "Enter a zone’s name, such as Europe/Berlin." };
  }
  const isList = comparison === "oneOf";
  const operator = isList ? "in" : OPERATORS[comparison];
  if (operator === undefined) return { field: "path", problem: "The time is always known: compare it." };
  const numbers = value.split(",").map((one) => toClockNumber(path, one.trim()));
  if (numbers.includes(null) || (!isList && numbers.length > 1)) {
    return {
      field: "value",
      problem: path === "hour" ? "Enter hours from 0 to 23." : "Enter days: Mon, Tue.",
    };
  }
  const clock = `now.${CLOCK[path]}(${name === "" ? "" : JSON.stringify(name)})`;
  return { text: `${clock} ${operator} ${isList ? `[${numbers.join(", ")}]` : numbers.join("")}` };
}

function toClockNumber(path: ClockPath, typed: string): number | null {
  if (path === "hour") return /^\d{1,2}$/.test(typed) && Number(typed) < 24 ? Number(typed) : null;
  const day = WEEKDAYS.findIndex((name) => typed.toLowerCase().startsWith(name.toLowerCase()));
  return day === -1 ? null : day;
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
  // A comment ends with its line.
  if (condition.includes("//")) return `(${condition}\n)`;
  return condition.includes("||") || condition.includes("?") ? `(${condition})` : condition;
}

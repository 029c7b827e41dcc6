import { type ASTNode, Environment, EvaluationError } from "@marcbachmann/cel-js";
import { isObject } from "../../kernel/is-object.ts";
import { matchGlob, parseGlob } from "../../kernel/glob.ts";

/** A node of a parsed expression, with the range of its text. */
export type Expression = ASTNode;

/** A checked expression, to be evaluated. */
export type ParsedExpression = {
  ast: Expression;
  /** Its type in CEL, such as `bool`, or the first thing that is wrong with it. */
  check: () => { type: string } | { problem: ExpressionProblem };
  /** @throws {Error} whatever the evaluator throws. */
  evaluate: (values: Record<string, unknown>) => unknown;
};

/** `start` and `end` count UTF-16 units. */
export type ExpressionProblem = { code: string; message: string; start: number; end: number };

/** The time of `now` in CEL. */
const TIMESTAMP = "google.protobuf.Timestamp";

/**
 * The variables of conditions and their types; `dyn` is JSON.
 *
 * @see https://github.com/google/cel-spec/blob/v0.25.1/doc/langdef.md
 */
const VARIABLES = {
  args: "dyn",
  request: "dyn",
  agent: { id: "string", handle: "string", kind: "string", version: "string", labels: "map<string, string>" },
  subject: { type: "string", id: "string", properties: "dyn" },
  action: { name: "string", properties: "dyn" },
  resource: {
    type: "string",
    name: "string",
    server: "string",
    kind: "string",
    labels: "map<string, string>",
    properties: "dyn",
  },
  environment: "string",
  counters: {
    calls_last_minute: "int",
    denials_last_hour: "int",
    cost_today_microusd: "int",
    tokens_today: "int",
  },
  now: TIMESTAMP,
};

/** The names of all variables. */
export const VARIABLE_NAMES: ReadonlySet<string> = new Set(Object.keys(VARIABLES));

/** Variables whose content is JSON that the caller sent. */
export const DYNAMIC_VARIABLES: ReadonlySet<string> = new Set(["args", "request"]);

/** Takes the place of `has` for what the caller sent: an error for a member of anything but an object. */
export const HAS_MEMBER = "hasMember";

/** Take the places of these: the evaluator's own change and trim letters beyond what CEL says. */
export const OWN_CHANGES: Readonly<Record<string, string>> = {
  lowerAscii: "toLowerAscii",
  upperAscii: "toUpperAscii",
  trim: "trimSpace",
};

const ENVIRONMENT = createEnvironment();

function createEnvironment(): Environment {
  const environment = new Environment({
    limits: { maxAstNodes: 300, maxDepth: 24, maxListElements: 256, maxMapEntries: 0, maxCallArguments: 16 },
  });
  for (const [name, type] of Object.entries(VARIABLES)) {
    if (typeof type === "string") environment.registerVariable(name, type);
    else environment.registerVariable(name, { schema: type });
  }
  return environment
    .registerFunction(`${HAS_MEMBER}(dyn, string): bool`, hasMember)
    .registerFunction("string.toLowerAscii(): string", (text: string) => moveLetters(text, "A", 32))
    .registerFunction("string.toUpperAscii(): string", (text: string) => moveLetters(text, "a", -32))
    .registerFunction("string.trimSpace(): string", trimSpace)
    .registerFunction("string.glob(string): bool", (text: string, pattern: string) => {
      const glob = parseGlob(pattern);
      return typeof glob !== "string" && matchGlob(glob, text);
    });
}

/** CEL's `has` is false for a member of a text or a list, so that a rule which it guards would silently not apply. */
function hasMember(value: unknown, name: string): boolean {
  if (value instanceof Map) return value.has(name);
  if (isObject(value)) return Object.hasOwn(value, name);
  throw new EvaluationError({ code: "not_an_object", message: `Not an object, which could have ${name}` });
}

/** Moves the 26 letters from `first` on by so many places. In units, for texts can alternate between cases. */
function moveLetters(text: string, first: string, by: number): string {
  const units = Buffer.from(text, "utf16le");
  const from = first.charCodeAt(0);
  for (let at = 0; at < units.length; at += 2) {
    const unit = units[at] ?? 0;
    if (units[at + 1] === 0 && unit >= from && unit < from + 26) units[at] = unit + by;
  }
  return units.toString("utf16le");
}

/** JavaScript's own takes U+FEFF for a space, and U+0085 for none. */
function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && SPACE.test(text.charAt(start))) start++;
  while (start < end && SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

const SPACE = /\p{White_Space}/u;

/** Parses CEL with this service's variables. Takes any text. */
export function parseExpression(text: string): ParsedExpression | { problem: ExpressionProblem } {
  try {
    const parsed = ENVIRONMENT.parse(text);
    return {
      ast: parsed.ast,
      check: () => {
        const { valid, type, error } = parsed.check();
        return valid ? { type: type ?? "dyn" } : { problem: toProblem(error, text) };
      },
      evaluate: (values): unknown => parsed(values),
    };
  } catch (error) {
    return { problem: toProblem(error, text) };
  }
}

function toProblem(error: unknown, text: string): ExpressionProblem {
  const whole = { start: 0, end: text.length };
  if (!(error instanceof Error) || !("summary" in error)) {
    return { code: "too_complex", message: "The expression is too complex.", ...whole };
  }
  // Errors of the evaluator; it does not export their common class.
  const { code, summary, range } = error as Error & {
    code: string;
    summary: string;
    range?: { start: number; end: number };
  };
  const at = { start: range?.start ?? 0, end: Math.min(range?.end ?? text.length, text.length) };
  return { code: code === "limit_exceeded" ? "too_complex" : code, message: `${summary}.`, ...at };
}

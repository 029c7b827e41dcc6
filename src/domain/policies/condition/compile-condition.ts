import { LIMITS } from "../../kernel/limits.ts";
import { admitExpression } from "./admit-expression.ts";
import {
  type ExpressionProblem,
  type ParsedExpression,
  HAS_MEMBER,
  OWN_CHANGES,
  parseExpression,
} from "./expression.ts";
import type { Reads } from "./reads.ts";

/** A condition that can be evaluated. */
export type Condition = Reads & {
  /** Whether it holds for the values of a request, or why that can't be said. */
  evaluate: (values: Record<string, unknown>) => boolean | ConditionError;
};

/** Why a condition can't be evaluated for a request. The message may contain values of the request. */
export type ConditionError = { code: string; message: string };

const MESSAGE_LENGTH = 200;

/**
 * Compiles the condition of a policy: CEL without what has no bounded cost.
 *
 * @returns the condition, or all problems that could be found.
 */
export function compileCondition(text: string): { condition: Condition } | { problems: ExpressionProblem[] } {
  if (text.length > LIMITS.conditionLength) {
    const message = `must have at most ${LIMITS.conditionLength} characters`;
    return { problems: [{ code: "too_long", message, start: LIMITS.conditionLength, end: text.length }] };
  }
  const parsed = parseExpression(text);
  if ("problem" in parsed) return { problems: [parsed.problem] };
  const admitted = admitExpression(parsed.ast);
  if ("problems" in admitted) return admitted;
  const checked = parsed.check();
  if ("problem" in checked) return { problems: [checked.problem] };
  if (checked.type !== "bool") {
    const message = checked.type === "dyn" ? "must be true or false: write == true" : "must be true or false";
    return { problems: [{ code: "type", message, start: 0, end: text.length }] };
  }
  return createCondition(text, admitted.reads);
}

/** Compiles a part of an admitted condition by itself. It need not be true or false. Null for what is no part. */
export function compilePart(text: string): Condition | null {
  const parsed = parseExpression(text);
  if ("problem" in parsed) return null;
  const admitted = admitExpression(parsed.ast);
  if ("problems" in admitted) return null;
  const created = createCondition(text, admitted.reads);
  return "problems" in created ? null : created.condition;
}

function createCondition(
  text: string,
  reads: Reads,
): { condition: Condition } | { problems: ExpressionProblem[] } {
  const replacements = listReplacements(text, reads);
  if ("problem" in replacements) return { problems: [replacements.problem] };
  const exact = parseExpression(replace(text, replacements));
  if ("problem" in exact) return { problems: [exact.problem] };
  return { condition: { ...reads, evaluate: (values) => evaluate(exact, values) } };
}

type Replacement = { start: number; end: number; text: string };

/** Writes `hasMember(args.a, "b")` for `has(args.a.b)`, and own functions for those that change texts. */
function listReplacements(
  text: string,
  { memberTests, textChanges }: Reads,
): Replacement[] | { problem: ExpressionProblem } {
  const replacements = memberTests.map(({ object, member, ...at }) => ({
    ...at,
    text: `${HAS_MEMBER}(${object}, "${member}")`,
  }));
  for (const { end, name } of textChanges) {
    const start = text.lastIndexOf(name, end);
    const after = start + name.length;
    if (!/^\s*\(\s*\)$/.test(text.slice(after, end))) {
      return { problem: { code: "not_allowed", message: `${name}() takes nothing`, start, end } };
    }
    replacements.push({ start, end: after, text: OWN_CHANGES[name] ?? name });
  }
  return replacements;
}

function replace(text: string, replacements: readonly Replacement[]): string {
  return replacements
    .toSorted((one, other) => other.start - one.start)
    .reduce((exact, { start, end, text: by }) => exact.slice(0, start) + by + exact.slice(end), text);
}

function evaluate(parsed: ParsedExpression, values: Record<string, unknown>): boolean | ConditionError {
  const { stackTraceLimit } = Error;
  // Most of what an error in a list of many costs is its stack, which nobody reads.
  Error.stackTraceLimit = 0;
  try {
    const result = parsed.evaluate(values);
    return typeof result === "boolean" ? result : { code: "type", message: "is neither true nor false" };
  } catch (error) {
    return toConditionError(error);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function toConditionError(error: unknown): ConditionError {
  if (!(error instanceof Error) || !("summary" in error) || !("code" in error)) {
    return { code: "too_complex", message: "can't be evaluated" };
  }
  return { code: String(error.code), message: String(error.summary).slice(0, MESSAGE_LENGTH) };
}

import { type ConditionError, compilePart } from "./compile-condition.ts";
import type { ConditionValues } from "./condition-values.ts";
import { type StepsLeft, evaluateWithin } from "./evaluate-within.ts";
import { type Expression, parseExpression } from "./expression.ts";

/** Whether a part of a condition holds, or why that can't be said: it errs, or reads what is not known any more. */
export type PartResult = boolean | "unknown" | ConditionError;

/**
 * A part of a condition, as it is written. All parts of an even depth must hold; of those of an odd depth, which
 * follow the part that they are of, one.
 */
export type ConditionPart = {
  text: string;
  /** Its place in the condition, in UTF-16 units. */
  start: number;
  end: number;
  depth: number;
  result: PartResult;
};

/** What a condition is explained for. */
export type KnownValues = Pick<ConditionValues, "variables" | "elements" | "size"> & {
  /** Whether a path, such as `args.amount`, leads to something that is not known. */
  isUnknown: (path: string) => boolean;
};

/** Splits an admitted condition into its parts and evaluates each by itself, as far as there are steps left. */
export function explainCondition(text: string, values: KnownValues, left: StepsLeft): ConditionPart[] {
  const range = { start: 0, end: text.length };
  const joined = splitExpression(text, range);
  const ranges = joined?.operator === "&&" ? joined.operands : [range];
  return ranges.flatMap((part) => explainPart(text, part, { depth: 0, values, left }));
}

/** What the results of parts make of the condition: one that is false, else one that is not known, else one that errs. */
export function combineParts(parts: readonly ConditionPart[]): PartResult {
  return joinResults(
    parts.filter(({ depth }) => depth === 0).map(({ result }) => result),
    { decides: false },
  );
}

type Range = { start: number; end: number };
type Level = { depth: number; values: KnownValues; left: StepsLeft };

/** The part itself, then its own parts. */
function explainPart(text: string, range: Range, level: Level): ConditionPart[] {
  const { depth } = level;
  const joined = splitExpression(text, range);
  const own = { ...range, text: text.slice(range.start, range.end), depth };
  if (joined === null) return [{ ...own, result: evaluatePart(own.text, level) }];
  const parts = joined.operands.flatMap((part) => explainPart(text, part, { ...level, depth: depth + 1 }));
  const results = parts.filter((part) => part.depth === depth + 1).map(({ result }) => result);
  return [{ ...own, result: joinResults(results, { decides: joined.operator === "||" }) }, ...parts];
}

/** `decides`: the result of one operand that decides for all. */
function joinResults(results: readonly PartResult[], { decides }: { decides: boolean }): PartResult {
  if (results.includes(decides)) return decides;
  if (results.includes("unknown")) return "unknown";
  return results.find((result) => typeof result === "object") ?? !decides;
}

function evaluatePart(text: string, { values, left }: Level): PartResult {
  const part = compilePart(text);
  if (part === null) return "unknown";
  return [...part.paths].some(values.isUnknown) ? "unknown" : evaluateWithin(left, part, values);
}

type Joined = { operator: "&&" | "||"; operands: Range[] };

/**
 * Splits a range at the operators that join it. Operands that are joined by the same operator are split too, with or
 * without parentheses. Null for what is not joined.
 */
function splitExpression(text: string, range: Range): Joined | null {
  const inner = stripParentheses(text, range);
  const ast = parseRange(text, inner);
  if (ast === null || !isJoined(ast)) return null;
  const operands = listOperands({ text, base: inner.start, operator: ast.op }, inner, ast);
  return operands === null ? null : { operator: ast.op, operands };
}

type JoinedExpression = Extract<Expression, { op: "&&" | "||" }>;

function isJoined(node: Expression): node is JoinedExpression {
  return node.op === "&&" || node.op === "||";
}

/** `base` is where the text of the nodes begins. */
type Source = { text: string; base: number; operator: JoinedExpression["op"] };

/** Ranges of nodes leave out parentheses, which stand between the operands and their operator. */
const OPERATOR_BETWEEN = /^[\s)]*(?:&&|\|\|)[\s(]*$/;

/** Null if it can't be said where the operator is: comments may contain others. */
function listOperands(source: Source, { start, end }: Range, { args }: JoinedExpression): Range[] | null {
  const { text, base } = source;
  const [left, right] = args;
  const between = text.slice(base + left.end, base + right.start);
  if (!OPERATOR_BETWEEN.test(between)) return null;
  const at = base + left.end + between.search(/[&|]/);
  const leftRange = trim(text, { start, end: at });
  const rightRange = trim(text, { start: at + 2, end });
  return [...flatten(source, leftRange, left), ...flatten(source, rightRange, right)];
}

function flatten(source: Source, range: Range, node: Expression): Range[] {
  const { text, base, operator } = source;
  if (node.op !== operator) return [range];
  if (base + node.start === range.start) return listOperands(source, range, node) ?? [range];
  const joined = splitExpression(text, range);
  return joined?.operator === operator ? joined.operands : [range];
}

function stripParentheses(text: string, range: Range): Range {
  const isEnclosed = text[range.start] === "(" && text[range.end - 1] === ")";
  const inner = trim(text, { start: range.start + 1, end: range.end - 1 });
  if (!isEnclosed || parseRange(text, inner) === null) return range;
  return stripParentheses(text, inner);
}

function parseRange(text: string, { start, end }: Range): Expression | null {
  const parsed = parseExpression(text.slice(start, end));
  return "problem" in parsed ? null : parsed.ast;
}

function trim(text: string, { start, end }: Range): Range {
  const part = text.slice(start, end);
  return { start: start + part.length - part.trimStart().length, end: start + part.trimEnd().length };
}

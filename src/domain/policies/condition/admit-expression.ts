import { parseGlob } from "../../kernel/glob.ts";
import {
  ALLOWANCES,
  BYTE_STEPS,
  CALL_STEPS,
  COMPARED_STEPS,
  ERROR_STEPS,
  INDEX_STEPS,
  LISTED_STEPS,
  READS_TEXT,
  ZONE_STEPS,
  addSearchPrice,
} from "./allowances.ts";
import { type Expression, type ExpressionProblem, VARIABLE_NAMES } from "./expression.ts";
import {
  type Scope,
  getOperands,
  getOrigin,
  getPath,
  isDynamic,
  isMember,
  isNear,
} from "./expression-path.ts";
import { type Reads, createReads, noteContextMember } from "./reads.ts";
import {
  ARITHMETIC,
  COMPARISONS,
  COMPREHENSIONS,
  CONVERSIONS,
  LOGIC,
  TEXT_CHANGES,
  TEXT_TESTS,
  TIME_PARTS,
} from "./vocabulary.ts";

/** The deepest nesting of comprehensions. */
const DEPTH = 3;

type Walk = {
  problems: ExpressionProblem[];
  counts: Record<keyof typeof ALLOWANCES, number>;
  reads: Reads;
};

/**
 * Admits the part of CEL whose cost is bounded: at most linear in the request, for each of a few calls.
 *
 * @returns what it reads, or all that is not admitted.
 */
export function admitExpression(ast: Expression): { reads: Reads } | { problems: ExpressionProblem[] } {
  const walk: Walk = {
    problems: [],
    counts: {
      comprehensions: 0,
      textCalls: 0,
      sizes: 0,
      repeatedCalls: 0,
      pathComparisons: 0,
      arithmetic: 0,
      zones: 0,
    },
    reads: createReads(),
  };
  visit(walk, ast, []);
  return walk.problems.length > 0 ? { problems: walk.problems } : { reads: walk.reads };
}

function visit(walk: Walk, node: Expression, scope: Scope): void {
  const { op } = node;
  const steps = op === "call" || op === "rcall" ? CALL_STEPS : 1;
  charge(walk, scope, LOGIC.has(op) ? ERROR_STEPS : steps);
  if (op === "value") return visitLiteral(walk, node);
  if (op === "id" || op === "." || op === "[]") return visitPath(walk, node, scope);
  if (op === "list") return visitList(walk, node, scope);
  if (op === "call") return visitCall(walk, node, scope);
  if (op === "rcall") return visitMethod(walk, node, scope);
  if (op === "!_" || op === "-_") return visit(walk, node.args, scope);
  const operands = getOperands(node);
  if (operands === null) return refuse(walk, node, "can't be used here");
  if (COMPARISONS.has(op)) checkComparison(walk, node, scope);
  else if (op === "in") checkMembership(walk, node, scope);
  else if (ARITHMETIC.has(op)) checkArithmetic(walk, node, scope);
  else if (!LOGIC.has(op)) return refuse(walk, node, "can't be used here");
  for (const operand of operands) visit(walk, operand, scope);
}

/** Adds steps to the price: once, or for each element of a list. */
function charge({ reads: { price } }: Walk, scope: Scope, steps: number): void {
  if (scope.length > 0) price.perElement += steps;
  else price.fixed += steps;
}

function visitLiteral(walk: Walk, node: Extract<Expression, { op: "value" }>): void {
  const { args } = node;
  if (args !== null && typeof args === "object")
    refuse(walk, node, "bytes and unsigned numbers can't be used");
}

function visitList(walk: Walk, node: Extract<Expression, { op: "list" }>, scope: Scope): void {
  charge(walk, scope, LISTED_STEPS * node.args.length);
  for (const element of node.args) {
    const literal = element.op === "-_" ? element.args : element;
    if (literal.op !== "value")
      refuse(walk, element, "a list can have texts, numbers, booleans and null only");
    else visitLiteral(walk, literal);
  }
}

/** Members and indexes. Dynamic indexes are visited. */
function visitPath(walk: Walk, node: Expression, scope: Scope): void {
  const path = getPath(node);
  if (path !== null) {
    if (!scope.includes(path.root)) walk.reads.paths.add(path.text);
    if (path.root === "request") noteContextMember(walk.reads, path.member);
    return;
  }
  if (node.op === ".") return visit(walk, node.args[0], scope);
  if (node.op !== "[]") return;
  walk.reads.price.perByte += INDEX_STEPS;
  visit(walk, node.args[0], scope);
  visit(walk, node.args[1], scope);
}

function visitCall(walk: Walk, node: Extract<Expression, { op: "call" }>, scope: Scope): void {
  const [name, args] = node.args;
  const [first] = args;
  if (first === undefined || args.length !== 1) return refuse(walk, node, `${name}() takes one value`);
  if (scope.length > 0) spend(walk, node, "repeatedCalls");
  if (name === "timestamp" || name === "duration") {
    if (first.op !== "value") refuse(walk, first, `${name}() takes a text in quotes`);
    return;
  }
  if (name === "size") spend(walk, node, "sizes");
  else if (name !== "has" && !CONVERSIONS.has(name)) return refuse(walk, node, `${name}() can't be used`);
  if (CONVERSIONS.has(name)) walk.reads.price.perByte += BYTE_STEPS;
  if (name !== "has") requireNear(walk, first, scope);
  else if (!isMember(first)) {
    return refuse(walk, first, 'has() takes a member such as args.name. For other names write "a-b" in args');
  }
  if (name === "has") noteMemberTest(walk, node, scope);
  visit(walk, first, scope);
}

/** Notes a `has`, whose argument is a member. */
function noteMemberTest({ reads }: Walk, node: Extract<Expression, { op: "call" }>, scope: Scope): void {
  const [tested] = node.args[1];
  if (tested?.op !== ".") return;
  const [object, member] = tested.args;
  reads.guarded.add(getPath(tested)?.text ?? "");
  const path = getPath(object);
  if (path === null || !isDynamic(object, scope)) return;
  reads.memberTests.push({ start: node.start, end: node.end, object: path.text, member });
}

function visitMethod(walk: Walk, node: Extract<Expression, { op: "rcall" }>, scope: Scope): void {
  const [name, receiver, args] = node.args;
  if (COMPREHENSIONS.has(name)) return visitComprehension(walk, node, scope);
  if (scope.length > 0) spend(walk, node, "repeatedCalls");
  if (TIME_PARTS.has(name)) return visitTimePart(walk, node, scope);
  const isTest = TEXT_TESTS.has(name);
  if (!isTest && !TEXT_CHANGES.has(name) && name !== "size") {
    return refuse(walk, node, `${name}() can't be used`);
  }
  if (name === "size") spend(walk, node, "sizes");
  else if (name !== "startsWith" && name !== "endsWith") spend(walk, node, "textCalls");
  requireNear(walk, receiver, scope);
  if (name === "glob") checkGlob(walk, args[0]);
  if (TEXT_CHANGES.has(name)) {
    walk.reads.textChanges.push({ end: node.end, name });
    // Read twice: what is changed is copied.
    walk.reads.price.perByte += BYTE_STEPS;
  }
  visit(walk, receiver, scope);
  for (const arg of args) {
    if (isDynamic(arg, scope)) spend(walk, node, "pathComparisons");
    if (name === "contains") addSearchPrice(walk.reads.price, isDynamic(arg, scope) ? null : arg.args);
    visit(walk, arg, scope);
  }
}

function checkGlob(walk: Walk, pattern: Expression | undefined): void {
  if (pattern === undefined) return;
  const text = pattern.op === "value" ? pattern.args : null;
  const glob = typeof text === "string" ? parseGlob(text) : "must be a text in quotes";
  if (typeof glob === "string") refuse(walk, pattern, `the pattern ${glob}`);
}

function visitTimePart(walk: Walk, node: Extract<Expression, { op: "rcall" }>, scope: Scope): void {
  const [name, receiver, args] = node.args;
  if (receiver.op !== "id" || receiver.args !== "now") {
    return refuse(walk, node, `${name}() can be used with now only`);
  }
  walk.reads.paths.add("now");
  const [zone] = args;
  if (zone === undefined) return;
  spend(walk, node, "zones");
  charge(walk, scope, ZONE_STEPS);
  if (zone.op !== "value" || typeof zone.args !== "string" || !isTimeZone(zone.args)) {
    refuse(walk, zone, "is not the name of a time zone, such as Europe/Berlin");
  }
}

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

function visitComprehension(walk: Walk, node: Extract<Expression, { op: "rcall" }>, scope: Scope): void {
  const [name, range, args] = node.args;
  const [variable, condition] = args;
  if (variable?.op !== "id" || condition === undefined || args.length !== 2) {
    return refuse(walk, node, `${name}() takes the name of an element and a condition`);
  }
  spend(walk, node, "comprehensions");
  walk.reads.readsElements = true;
  walk.reads.price.perElement += ERROR_STEPS;
  const element = variable.args;
  if (VARIABLE_NAMES.has(element) || scope.includes(element)) {
    refuse(walk, variable, "is the name of another variable");
  }
  const path = getPath(range);
  if (path === null) refuse(walk, range, `${name}() needs a list of the request, such as args.items`);
  else if (scope.length > 0 && path.root !== scope.at(-1)) {
    refuse(walk, range, `${name}() inside another one needs a list of its element ${scope.at(-1)}`);
  }
  if (scope.length >= DEPTH) refuse(walk, node, `can be nested at most ${DEPTH} levels deep`);
  visit(walk, range, scope);
  visit(walk, condition, [...scope, element]);
}

function checkComparison(walk: Walk, node: Expression, scope: Scope): void {
  const [left, right] = getOperands(node) ?? [];
  if (left === undefined || right === undefined || !isDynamic(left, scope) || !isDynamic(right, scope))
    return;
  spend(walk, node, "pathComparisons");
  walk.reads.readsElements = true;
  walk.reads.price.perElement += COMPARED_STEPS;
  if (scope.length > 0 && !isNear(left, scope) && !isNear(right, scope)) requireNear(walk, left, scope);
}

function checkMembership(walk: Walk, node: Expression, scope: Scope): void {
  const right = getOperands(node)?.[1];
  if (right === undefined || right.op === "list") return;
  if (getPath(right) === null) return refuse(walk, right, "in needs a list or an object");
  if (isDynamic(right, scope)) walk.reads.readsElements = true;
  walk.reads.price.perElement += COMPARED_STEPS;
  requireNear(walk, right, scope);
}

function checkArithmetic(walk: Walk, node: Expression, scope: Scope): void {
  spend(walk, node, "arithmetic");
  const operands = getOperands(node) ?? [];
  const isRead = operands.some((one) => isDynamic(one, scope));
  for (const operand of operands) {
    if (isRead && operand.op === "value" && typeof operand.args === "bigint") {
      refuse(walk, operand, `numbers of the request have fractions: write ${operand.args}.0`);
    }
    const isText = operand.op === "list" || (operand.op === "value" && typeof operand.args === "string");
    if (isText) refuse(walk, operand, "only numbers can be calculated with");
    if (!isDynamic(operand, scope)) continue;
    // It could be a list, which is copied.
    walk.reads.readsElements = true;
    walk.reads.price.perElement += COMPARED_STEPS;
    if (!isNear(operand, scope)) requireNear(walk, operand, scope);
  }
}

/**
 * Inside a comprehension, what takes longer for a larger value is done with its element only, so that all
 * elements together take linear time.
 */
function requireNear(walk: Walk, node: Expression, scope: Scope): void {
  if (getOrigin(node) === null) {
    refuse(walk, node, "needs a value of the request, such as args.name");
  } else if (!isNear(node, scope)) {
    refuse(
      walk,
      node,
      `inside all, exists and exists_one, only the element ${scope.at(-1)} can be used here`,
    );
  }
}

function spend(walk: Walk, node: Expression, what: keyof typeof ALLOWANCES): void {
  walk.counts[what]++;
  if (READS_TEXT.has(what)) walk.reads.price.perByte += BYTE_STEPS;
  const { most, what: named } = ALLOWANCES[what];
  if (walk.counts[what] !== most + 1) return;
  const message = `can use ${named} at most ${most} times`;
  walk.problems.push({ code: "too_complex", message, start: node.start, end: node.end });
}

function refuse(walk: Walk, { start, end }: Expression, message: string): void {
  walk.problems.push({ code: "not_allowed", message, start, end });
}

import { type Expression, DYNAMIC_VARIABLES } from "./expression.ts";
import { CONVERSIONS, TEXT_CHANGES } from "./vocabulary.ts";

/** Iteration variables, the nearest one last. */
export type Scope = readonly string[];

/** Where a value comes from: `root` is a variable, or null for a literal. */
type Origin = { root: string | null; hasProperties: boolean };

/** Whether a value is a literal or of the nearest iteration variable. True outside of comprehensions. */
export function isNear(node: Expression, scope: Scope): boolean {
  return scope.length === 0 || listOrigins(node).every(({ root }) => root === null || root === scope.at(-1));
}

/** Whether a value can be any JSON: from the request, of any size. */
export function isDynamic(node: Expression, scope: Scope): boolean {
  return listOrigins(node).some(
    ({ root, hasProperties }) =>
      root !== null && (scope.includes(root) || DYNAMIC_VARIABLES.has(root) || hasProperties),
  );
}

/** Where a value can come from. Empty for numbers, times and truth values that are calculated. */
function listOrigins(node: Expression): Origin[] {
  if (node.op === "?:") return [node.args[1], node.args[2]].flatMap(listOrigins);
  if (node.op === "+") return node.args.flatMap(listOrigins);
  if (node.op === "." || node.op === "[]") {
    return listOrigins(node.args[0]).map((origin) => toMember(origin, node.args[1]));
  }
  const origin = getOrigin(node);
  return origin === null ? [] : [origin];
}

function toMember(origin: Origin, key: string | Expression): Origin {
  const isProperties = key === "properties" || (typeof key === "object" && key.args === "properties");
  return { ...origin, hasProperties: origin.hasProperties || isProperties };
}

/** Where a value comes from; null if it is calculated. */
export function getOrigin(node: Expression): Origin | null {
  if (node.op === "value") return { root: null, hasProperties: false };
  if (node.op === "id") return { root: node.args, hasProperties: false };
  if (node.op === "." || node.op === "[]") {
    const origin = getOrigin(node.args[0]);
    return origin && toMember(origin, node.args[1]);
  }
  if (node.op === "rcall" && TEXT_CHANGES.has(node.args[0])) return getOrigin(node.args[1]);
  const [argument] = node.op === "call" && CONVERSIONS.has(node.args[0]) ? node.args[1] : [];
  return argument === undefined ? null : getOrigin(argument);
}

/** A variable with members and literal indexes. `member` is the first member; null without one. */
type Path = { root: string; member: string | null; text: string };

/** Returns the path that a node is; null for anything else. */
export function getPath(node: Expression): Path | null {
  if (node.op === "id") return { root: node.args, member: null, text: node.args };
  if (node.op !== "." && node.op !== "[]") return null;
  const left = getPath(node.args[0]);
  if (left === null) return null;
  const { root } = left;
  const [object, key] = node.args;
  const index = typeof key === "string" ? key : key.op === "value" ? key.args : null;
  if (typeof index !== "string" && typeof index !== "bigint") return null;
  const member = object.op === "id" ? String(index) : left.member;
  return { root, member, text: `${left.text}${toIndexText(index)}` };
}

/** Equal members have equal texts: `a["b"]` is `a.b`. */
function toIndexText(index: string | bigint): string {
  if (typeof index === "string" && /^[A-Za-z_]\w*$/.test(index)) return `.${index}`;
  return `[${typeof index === "string" ? JSON.stringify(index) : String(index)}]`;
}

/** The operands of an operator; null for any other node. */
export function getOperands({ args }: Expression): readonly Expression[] | null {
  // Of operators, the nodes are all that is in `args`.
  return Array.isArray(args) && args.every((one) => typeof one === "object" && one !== null && "op" in one)
    ? (args as Expression[])
    : null;
}

/** Members of a variable, without indexes. */
export function isMember(node: Expression): boolean {
  return node.op === "." && (node.args[0].op === "id" || isMember(node.args[0]));
}

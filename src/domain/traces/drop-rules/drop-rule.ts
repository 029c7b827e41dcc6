import type { UsageRole } from "../../../db/generated/enums.ts";
import { type Glob, matchGlob, parseGlob } from "../../kernel/glob.ts";

/** Which spans are not stored: of a library and with a name, each a pattern in which `*` is any text. */
export type DropRule = { scope: string; name: string };

/** The most rules of a workspace. */
export const MOST_DROP_RULES = 50;

/** A span as it was sent, and what it says of usage. */
type Judged = { scope: string | null; name: string; usageRole: UsageRole };

/** Builds a function that finds the place of the first rule for a span; -1 if none is, or if it says what a call used. */
export function compileDropRules(rules: readonly DropRule[]): (span: Judged) => number {
  const compiled = rules.map(({ scope, name }) => ({ scope: toGlob(scope), name: toGlob(name) }));
  return ({ scope, name, usageRole }) =>
    usageRole === "none"
      ? compiled.findIndex((rule) => matchGlob(rule.name, name) && matchGlob(rule.scope, scope ?? ""))
      : -1;
}

function toGlob(text: string): Glob {
  const glob = parseGlob(text);
  if (typeof glob === "string") throw new Error(`a stored pattern ${glob}`);
  return glob;
}

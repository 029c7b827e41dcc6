import { LRUCache } from "lru-cache";
import type { PolicyEffect, PolicyMode } from "../../db/generated/enums.ts";
import { type Condition, compileCondition } from "./condition/compile-condition.ts";
import { type ScopeMatcher, compileScope } from "./match-scope.ts";
import type { ApprovalTerms, PolicyRule } from "./policy-rule.ts";

/** A policy that can be evaluated. */
export type CompiledPolicy = {
  id: string;
  generation: number;
  name: string;
  mode: PolicyMode;
  effect: PolicyEffect;
  /** How its question is approved; null unless it asks. */
  approval: ApprovalTerms | null;
  rule: Pick<PolicyRule, "subjects" | "actions" | "resources">;
  /** Its condition as it is written; null without one. */
  when: string | null;
  isInScope: ScopeMatcher;
  /** Null without one. Compiled when it is first asked for; "invalid" if this server can't compile it. */
  getCondition: () => Condition | "invalid" | null;
  /** Whether its condition reads what the agent did of late. */
  readsCounters: () => boolean;
};

export type StoredPolicy = Pick<
  PolicyRule,
  "name" | "mode" | "effect" | "subjects" | "actions" | "resources" | "when" | "approval"
> & { id: string; generation: number };

/** Prepares a stored policy. Its scope is compiled when it is first needed. */
export function compilePolicy(policy: StoredPolicy): CompiledPolicy {
  const { id, generation, name, mode, effect, approval, subjects, actions, resources, when } = policy;
  const rule = { subjects, actions, resources };
  let isInScope: ScopeMatcher | null = null;
  const namesCounters = when?.includes(COUNTERS) === true;
  return {
    id,
    generation,
    name,
    mode,
    effect,
    approval,
    rule,
    when,
    isInScope: (request) => (isInScope ??= compileScope(rule))(request),
    getCondition: () => (when === null ? null : recallCondition(when)),
    readsCounters: () => namesCounters && readsCounters(recallCondition(when)),
  };
}

function readsCounters(condition: Condition | "invalid"): boolean {
  return condition !== "invalid" && [...condition.paths].some((path) => path.startsWith(COUNTERS));
}

const COUNTERS = "counters";

/** Compiled conditions of this node, by their text: they hold nothing of a workspace. */
const CONDITIONS = new LRUCache<string, { condition: Condition | "invalid" }>({
  max: 20_000,
  maxSize: 268_435_456,
  sizeCalculation: (_condition, text) => estimateBytes(text),
});

/** A character is up to 128 bytes of nodes, of which there are at most some hundred. */
function estimateBytes(text: string): number {
  return 2000 + 2 * text.length + Math.min(128 * text.length, 60_000);
}

function recallCondition(text: string): Condition | "invalid" {
  const known = CONDITIONS.get(text);
  if (known !== undefined) return known.condition;
  const compiled = compileCondition(text);
  const condition = "problems" in compiled ? "invalid" : compiled.condition;
  CONDITIONS.set(text, { condition });
  return condition;
}

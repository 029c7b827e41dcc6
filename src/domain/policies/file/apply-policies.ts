import { isDeepStrictEqual } from "node:util";
import type { Policy } from "../../../db/generated/client.ts";
import type { Ctx } from "../../kernel/context.ts";
import { DomainError } from "../../kernel/errors.ts";
import { requireScope, requireSudo } from "../../kernel/guard.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { lockWorkspace } from "../../workspaces/lock-workspace.ts";
import { insertPolicy } from "../create-policy.ts";
import { removePolicy } from "../delete-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";
import { toRule } from "../to-rule.ts";
import { replacePolicy } from "../update-policy.ts";

/** What a file of rules changes. Rules are matched by their names. */
export type PolicyDiff = {
  added: PolicyRule[];
  /** With the names of the changed fields. */
  changed: { policy: Policy; rule: PolicyRule; fields: (keyof PolicyRule)[] }[];
  /** Those that the file does not have; they stay unless they are to be pruned. */
  missing: Policy[];
  unchanged: number;
};

/** Reads all rules of the workspace. @throws {DomainError} insufficient_scope without `gateway:read`. */
export async function exportPolicies(ctx: Ctx): Promise<PolicyRule[]> {
  requireScope(ctx, "gateway:read");
  return (await ctx.db.policy.findMany({ orderBy: { name: "asc" } })).map(toRule);
}

/**
 * Compares rules with those of the workspace.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`.
 */
export async function diffPolicies(ctx: Ctx, rules: readonly PolicyRule[]): Promise<PolicyDiff> {
  requireScope(ctx, "gateway:read");
  return compare(await ctx.db.policy.findMany({ orderBy: { name: "asc" } }), rules);
}

/**
 * Makes the workspace's rules those of a file: all of them, or none. Equal ones stay as they are, and with them what was
 * approved by them.
 *
 * @param options.prune also deletes policies that the file does not have.
 * @returns what it changed.
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed for more than
 *   500 changes at once; policy_too_complex.
 */
export async function applyPolicies(
  ctx: Ctx,
  rules: readonly PolicyRule[],
  { prune }: { prune: boolean },
): Promise<PolicyDiff> {
  requireSudo(ctx, "admin");
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const diff = compare(await tx.db.policy.findMany({ orderBy: { name: "asc" } }), rules);
    const removed = prune ? diff.missing : [];
    requireFewChanges(diff.added.length + diff.changed.length + removed.length);
    // First, so that the others have room.
    for (const policy of removed) await removePolicy(tx, policy);
    for (const { policy, rule } of diff.changed) await replacePolicy(tx, policy, rule);
    for (const rule of diff.added) await insertPolicy(tx, rule);
    return diff;
  });
}

function requireFewChanges(changes: number): void {
  if (changes <= LIMITS.appliedPolicies) return;
  throw new DomainError(
    "validation_failed",
    `The file changes ${changes} policies. At most ${LIMITS.appliedPolicies} can be changed at once: apply it in parts.`,
  );
}

function compare(policies: readonly Policy[], rules: readonly PolicyRule[]): PolicyDiff {
  const known = new Map(policies.map((policy) => [policy.name, policy]));
  const wanted = new Set(rules.map(({ name }) => name));
  const kept = rules.flatMap((rule) => {
    const policy = known.get(rule.name);
    return policy === undefined ? [] : [{ policy, rule, fields: listChangedFields(toRule(policy), rule) }];
  });
  const changed = kept.filter(({ fields }) => fields.length > 0);
  return {
    added: rules.filter(({ name }) => !known.has(name)),
    changed,
    missing: policies.filter(({ name }) => !wanted.has(name)),
    unchanged: kept.length - changed.length,
  };
}

function listChangedFields(before: PolicyRule, after: PolicyRule): (keyof PolicyRule)[] {
  // The fields of both are those of policyRule.
  const fields = Object.keys(after) as (keyof PolicyRule)[];
  return fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

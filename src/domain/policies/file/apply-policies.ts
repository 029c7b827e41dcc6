import { isDeepStrictEqual } from "node:util";
import type { Policy } from "../../../db/generated/client.ts";
import { sql } from "../../../db/sql.ts";
import type { Ctx, Transaction } from "../../kernel/context.ts";
import { DomainError } from "../../kernel/errors.ts";
import { append } from "../../kernel/events.ts";
import { requireScope, requireSudo } from "../../kernel/guard.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { lockWorkspace } from "../../workspaces/lock-workspace.ts";
import { insertPolicy } from "../create-policy.ts";
import { removePolicy } from "../delete-policy.ts";
import type { PolicyRule } from "../policy-rule.ts";
import { toRule } from "../to-rule.ts";
import { replacePolicy } from "../update-policy.ts";
import type { PolicyFile } from "./policy-file.ts";

/** What a file of rules changes. Rules are matched by their names. */
export type PolicyDiff = {
  added: PolicyRule[];
  /** With the names of the changed fields. */
  changed: { policy: Policy; rule: PolicyRule; fields: (keyof PolicyRule)[] }[];
  /** Those that the file does not have; they stay unless they are to be pruned. */
  missing: Policy[];
  unchanged: number;
  /** Counts the changes of the workspace's policies before these. */
  generation: number;
};

/**
 * Compares a file's rules with those of the workspace.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`.
 */
export async function diffPolicies(ctx: Ctx, rules: readonly PolicyRule[]): Promise<PolicyDiff> {
  requireScope(ctx, "gateway:read");
  // First: where somebody writes in between, it is too small, and `expect` refuses.
  const { gateGeneration } = await ctx.db.workspace.findUniqueOrThrow({ where: { id: ctx.workspaceId } });
  return compare(await listByName(ctx.db), rules, gateGeneration);
}

/** `prune` also deletes policies that the file does not have. `expect` is the generation of the diff that was looked at. */
export type ApplyOptions = { prune: boolean; expect?: number | null };

/**
 * Makes the workspace's rules those of a file: all of them, or none. Equal ones stay as they are, and with them what was
 * approved by them.
 *
 * @returns what it changed.
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; precondition_failed if the policies were
 *   changed since `expect`; validation_failed for more than 500 changes at once; policy_too_complex.
 */
export async function applyPolicies(
  ctx: Ctx,
  { rules, hash }: PolicyFile,
  { prune, expect }: ApplyOptions,
): Promise<PolicyDiff> {
  requireSudo(ctx, "admin");
  return ctx.transaction(async (tx) => {
    const { gateGeneration } = await lockWorkspace(tx);
    if (typeof expect === "number" && expect !== gateGeneration) {
      const message = `The policies were changed meanwhile: their generation is ${gateGeneration}, not ${expect}. Compare the file again.`;
      throw new DomainError("precondition_failed", message);
    }
    const policies = await listByName(tx.db);
    const diff = compare(policies, rules, gateGeneration);
    const removed = prune ? diff.missing : [];
    const changes = diff.added.length + diff.changed.length + removed.length;
    requireFewChanges(changes);
    // First, so that the others have room.
    for (const policy of removed) await removePolicy(tx, policy);
    for (const { policy, rule } of diff.changed) await replacePolicy(tx, policy, rule);
    for (const rule of diff.added) await insertPolicy(tx, rule);
    await tx.run(MARK, [ctx.workspaceId, rules.map(({ name }) => name)]);
    if (changes > 0) appendApplied(tx, hash, { ...diff, missing: removed });
    return diff;
  });
}

/** Policies of one statement: the event loop is free after each. */
const PAGE = 250;

async function listByName({ policy }: Pick<Ctx["db"], "policy">): Promise<Policy[]> {
  const policies: Policy[] = [];
  for (;;) {
    const after = policies.at(-1)?.name ?? "";
    const page = await policy.findMany({
      where: { name: { gt: after } },
      orderBy: { name: "asc" },
      take: PAGE,
    });
    policies.push(...page);
    if (page.length < PAGE) return policies;
  }
}

const MARK = sql`UPDATE policy SET from_file = true
WHERE workspace_id = $1::uuid AND name = ANY($2::text[]) AND NOT from_file`;

/** Each change has its own events and audit event; this one names the file. */
function appendApplied(tx: Transaction, hash: string, { added, changed, missing }: PolicyDiff): void {
  const { workspaceId: targetId } = tx.ctx;
  const counts = { added: added.length, changed: changed.length, removed: missing.length };
  const changes = { file_sha256: hash, ...counts };
  append(tx, {
    events: [],
    audit: [{ action: "policies.applied", targetType: "workspace", targetId, changes }],
  });
}

function requireFewChanges(changes: number): void {
  if (changes <= LIMITS.appliedPolicies) return;
  throw new DomainError(
    "validation_failed",
    `The file changes ${changes} policies. At most ${LIMITS.appliedPolicies} can be changed at once: apply it in parts.`,
  );
}

function compare(policies: readonly Policy[], rules: readonly PolicyRule[], generation: number): PolicyDiff {
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
    generation,
  };
}

function listChangedFields(before: PolicyRule, after: PolicyRule): (keyof PolicyRule)[] {
  // The fields of both are those of policyRule.
  const fields = Object.keys(after) as (keyof PolicyRule)[];
  return fields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
}

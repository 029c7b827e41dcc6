import { z } from "zod";
import type { GatePolicies } from "../gateway-checks/gate-policies.ts";
import type { Ctx } from "../kernel/context.ts";
import type { DomainError } from "../kernel/errors.ts";
import { createValidationError, fieldErrors } from "../kernel/field-errors.ts";
import { parseInput } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Steps } from "../kernel/turns.ts";
import { type CompiledPolicy, compilePolicy } from "./compile-policy.ts";
import { indexPolicies } from "./policy-index.ts";
import { type PolicyRule, type PolicyRuleInput, policyRule } from "./policy-rule.ts";

/** Rules to add, or to put in the place of those with their names, and the names of policies to delete. */
export type PolicyChangesInput = { rules: PolicyRuleInput[]; removed: string[] };

const shape = z.object({
  rules: z.array(z.unknown()).max(LIMITS.appliedPolicies),
  removed: z.array(z.string()).max(LIMITS.policies),
});

/** The id of policies that are not saved. */
export const DRAFT_ID = "00000000-0000-0000-0000-000000000000";

/** The enabled policies that changes add, and the names of those that they replace or delete. */
export type PolicyDraft = {
  added: CompiledPolicy[];
  replaced: ReadonlySet<string>;
  /** Returns a workspace's policies as they would be. */
  change: (policies: GatePolicies) => GatePolicies;
};

/**
 * Prepares changes that are not saved.
 *
 * @throws {DomainError} validation_failed.
 */
export async function draftPolicies(ctx: Ctx, input: PolicyChangesInput): Promise<PolicyDraft> {
  const changes = parseInput(shape, input);
  return ctx.services.policies.runInTurns(ctx.workspaceId, draftInSteps(changes));
}

function* draftInSteps({ rules, removed }: z.output<typeof shape>): Steps<PolicyDraft> {
  const parsed: PolicyRule[] = [];
  for (const [index, rule] of rules.entries()) {
    const { data, error } = policyRule.safeParse(rule);
    if (error !== undefined) throw toChangesError(index, error);
    parsed.push(data);
    yield;
  }
  const replaced = new Set([...removed, ...parsed.map(({ name }) => name)]);
  const added = parsed
    .filter(({ enabled }) => enabled)
    .map((rule) => compilePolicy({ ...rule, id: DRAFT_ID, generation: 0 }));
  const drafted = yield* indexPolicies(added, ({ rule }) => rule);
  return {
    added,
    replaced,
    change: ({ policies, index, ...known }) => ({
      ...known,
      policies: [...policies.filter(({ name }) => !replaced.has(name)), ...added],
      // Nothing is indexed again: a workspace may have thousands of policies.
      index: {
        find: (request) => [
          ...index.find(request).filter(({ name }) => !replaced.has(name)),
          ...drafted.find(request),
        ],
      },
    }),
  };
}

function toChangesError(index: number, error: z.ZodError): DomainError {
  const errors = fieldErrors(error);
  return createValidationError(
    errors.map(({ field, detail }) => ({ field: `changes.rules.${index}.${field}`, detail })),
  );
}

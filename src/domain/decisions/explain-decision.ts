import { z } from "zod";
import type { Decision } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { restoreRequest } from "../gateway-checks/decision-entities.ts";
import type { AccessRequest } from "../gateway-checks/parse-request.ts";
import type { ExceededBudget } from "../kernel/errors.ts";
import type { Ctx } from "../kernel/context.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { combineTerms } from "../policies/combine-terms.ts";
import type { KnownValues } from "../policies/condition/condition-parts.ts";
import { createConditionValues } from "../policies/condition/condition-values.ts";
import { createUnknownTest } from "../policies/condition/unknown-values.ts";
import type { PolicyRule } from "../policies/policy-rule.ts";
import type { DecisionEntities, MatchedPolicy } from "./decision-row.ts";
import {
  type ExplainedPolicy,
  type Explanation,
  explainPolicies,
  listSteps,
  listUnlisted,
} from "./explanation.ts";
import { readDecision } from "./read-decision.ts";
import { mayBeRedacted } from "../kernel/redact.ts";

const shape = z.object({ id: uuid });

/**
 * Explains a stored decision by the policies as they were then. What secrets were removed from is unknown.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`; not_found, also if it is too old.
 */
export async function explainDecision(ctx: Ctx, input: z.input<typeof shape>): Promise<Explanation> {
  const decision = await readDecision(ctx, parseInput(shape, input));
  const { outcome, reason, request, gateGeneration, consideredCount, policyCount } = decision;
  // Written by the gateway.
  const matched = decision.matched as MatchedPolicy[];
  const rules = await readRules(ctx, matched);
  const values = restoreValues(decision);
  const explained = matched.map((policy) => toExplained(policy, findRule(rules, policy)));
  const listed = await ctx.services.policies.runInTurns(
    ctx.workspaceId,
    explainPolicies(explained, values ?? UNKNOWN),
  );
  const policies = {
    considered: consideredCount ?? matched.length,
    of: policyCount ?? matched.length,
    policies: listed,
  };
  const asking = matched.filter(({ effect, result }) => effect === "ask" && result === true);
  const terms = asking.map((policy) => findRule(rules, policy)?.approval ?? null);
  const isAsked = gateGeneration !== null;
  return {
    outcome,
    reason,
    request,
    generation: gateGeneration,
    steps: listSteps({
      outcome,
      reason,
      policies: isAsked ? policies : null,
      // Written by the gateway.
      budget: decision.budget as ExceededBudget | null,
      approval: terms.includes(null) ? null : combineTerms(terms.map((approval) => ({ approval }))),
    }),
    gaps: [
      ...(request === null ? ["The request was too large to be stored."] : []),
      ...(request !== null && values === null ? ["What was known of the subject was not stored."] : []),
      ...matched
        .filter((policy) => findRule(rules, policy) === undefined)
        .map(({ name, generation }) => `Generation ${generation} of the policy ${name} is not known.`),
      ...listUnlisted(policies.considered, matched.length),
    ],
  };
}

const UNKNOWN: KnownValues = { variables: {}, elements: 0, size: 0, isUnknown: () => true };

/** The values that conditions had; null if they were not stored. */
function restoreValues({ request, entities, agentId, createdAt }: Decision): KnownValues | null {
  if (request === null || entities === null) return null;
  // Both written by the gateway.
  const asked = request as AccessRequest;
  const known = entities as DecisionEntities;
  const values = createConditionValues(restoreRequest(asked, known, agentId), new Date(createdAt));
  return { ...values, isUnknown: createUnknownTest(values.variables, mayBeRedacted) };
}

/** Rules by {@link toKey}. */
type Rules = ReadonlyMap<string, PolicyRule>;

function toKey({ id, generation }: Pick<MatchedPolicy, "id" | "generation">): string {
  return `${id} ${generation}`;
}

function findRule(rules: Rules, policy: MatchedPolicy): PolicyRule | undefined {
  return rules.get(toKey(policy));
}

async function readRules(ctx: Ctx, policies: readonly MatchedPolicy[]): Promise<Rules> {
  const ids = policies.map(({ id }) => id);
  const generations = policies.map(({ generation }) => generation);
  const versions = await ctx.read(VERSIONS, [ctx.workspaceId, ids, generations]);
  return new Map(versions.map(({ rule, ...version }) => [toKey(version), rule]));
}

const VERSIONS = sql<{ id: string; generation: number; rule: PolicyRule }>`
SELECT v.policy_id AS id, v.generation, v.rule
FROM policy_version v JOIN unnest($2::uuid[], $3::int[]) p(id, generation)
  ON v.policy_id = p.id AND v.generation = p.generation
WHERE v.workspace_id = $1::uuid`;

function toExplained(policy: MatchedPolicy, rule: PolicyRule | undefined): ExplainedPolicy {
  const { id, generation, name, effect, mode, result, decided } = policy;
  return {
    id,
    generation,
    name,
    effect,
    mode,
    decided,
    when: rule?.when ?? null,
    result: typeof result === "boolean" ? result : { code: result, message: "could not be evaluated" },
  };
}

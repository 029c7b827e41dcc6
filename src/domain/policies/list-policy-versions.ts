import { z } from "zod";
import type { ActorRecord } from "../kernel/actor.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { sql } from "../../db/sql.ts";
import type { PolicyRule } from "./policy-rule.ts";

/** A policy's rule as it was from a change on. */
export type PolicyVersion = { generation: number; rule: PolicyRule; by: ActorRecord; at: Date };

const shape = z.object({
  id: uuid,
  first: wholeNumber(LIMITS.policyVersions).default(LIMITS.policyVersions.default),
  beforeGeneration: z.int().nullish(),
});

/**
 * Lists the versions of a policy, the newest first.
 *
 * @throws {DomainError} insufficient_scope without `gateway:read`; not_found; validation_failed.
 */
export async function listPolicyVersions(ctx: Ctx, input: z.input<typeof shape>): Promise<PolicyVersion[]> {
  requireScope(ctx, "gateway:read");
  const { id, first, beforeGeneration } = parseInput(shape, input);
  const found = await ctx.read(VERSIONS, [ctx.workspaceId, id, first, beforeGeneration ?? null]);
  if (found.length === 0) throw createNotFoundError("policy");
  return found.flatMap(({ generation, ...version }) =>
    generation === null ? [] : [{ generation, ...version }],
  );
}

/** One row without a version if there is none before the generation. */
const VERSIONS = sql<Omit<PolicyVersion, "generation"> & { generation: number | null }>`
SELECT v.generation, v.rule, v.by, v.at FROM policy p
LEFT JOIN LATERAL (
  SELECT o.generation, o.rule, o.by, o.at FROM policy_version o
  WHERE o.workspace_id = p.workspace_id AND o.policy_id = p.id AND ($4::int IS NULL OR o.generation < $4)
  ORDER BY o.generation DESC LIMIT $3::int
) v ON true
WHERE p.workspace_id = $1::uuid AND p.id = $2::uuid
ORDER BY v.generation DESC`;

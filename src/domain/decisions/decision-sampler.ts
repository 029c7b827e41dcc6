import { createHash } from "node:crypto";
import { LIMITS } from "../kernel/limits.ts";
import { createSharedCapacity } from "../kernel/shared-capacity.ts";
import type { DecisionSummary } from "./decision-row.ts";

/** The most kinds of permissions of a minute that are remembered, of all workspaces. Of others, each permission is stored. */
const MOST_KINDS = 40_000;

/**
 * Creates the choice of the permissions that are stored: of the same agent, subject, action, resource and deciding
 * policies, the first 20 of each minute. Workspaces share what is remembered: one with very many kinds has its own stored,
 * and not those of others.
 */
export function createDecisionSampler(): (decision: DecisionSummary) => boolean {
  let minute = "";
  let counts = new Map<string, number>();
  let capacity = createSharedCapacity(MOST_KINDS);
  return (decision) => {
    const own = decision.createdAt.slice(0, 16);
    // What is told late belongs to the minute that runs.
    if (own > minute) {
      minute = own;
      counts = new Map();
      capacity = createSharedCapacity(MOST_KINDS);
    }
    const kind = nameKind(decision);
    const known = counts.get(kind);
    if (known === undefined) {
      if (!capacity.fits(decision.workspaceId, 1)) return true;
      capacity.take(decision.workspaceId, 1);
    }
    const count = (known ?? 0) + 1;
    counts.set(kind, count);
    return count <= LIMITS.sampledDecisions;
  };
}

/** Hashed, since agents choose names of hundreds of characters. */
function nameKind(decision: DecisionSummary): string {
  const { workspaceId, agentId, subject, action, resourceType, resourceId, matched } = decision;
  const policies = matched.filter(({ decided }) => decided).map(({ id }) => id);
  const parts = [workspaceId, agentId, subject, action, resourceType, resourceId, ...policies];
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64");
}

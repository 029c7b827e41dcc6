import { LRUCache } from "lru-cache";
import { LIMITS } from "../kernel/limits.ts";
import type { DecisionSummary } from "./decision-row.ts";

/** The most kinds of permissions that are remembered. More of the forgotten ones are stored. */
const MOST_KINDS = 20_000;

/**
 * Creates the choice of the permissions that are stored: of the same agent, subject, action, resource and deciding
 * policies, the first 20 of each minute.
 */
export function createDecisionSampler(): (decision: DecisionSummary) => boolean {
  const counts = new LRUCache<string, { minute: string; count: number }>({ max: MOST_KINDS });
  return (decision) => {
    const kind = nameKind(decision);
    const minute = decision.createdAt.slice(0, 16);
    const known = counts.get(kind);
    const count = known?.minute === minute ? known.count + 1 : 1;
    counts.set(kind, { minute, count });
    return count <= LIMITS.sampledDecisions;
  };
}

function nameKind(decision: DecisionSummary): string {
  const { workspaceId, agentId, subject, action, resourceType, resourceId, matched } = decision;
  const policies = matched.filter(({ decided }) => decided).map(({ id }) => id);
  return JSON.stringify([workspaceId, agentId, subject, action, resourceType, resourceId, ...policies]);
}

import type { DecisionReason } from "../../db/generated/enums.ts";
import { createSharedCapacity } from "../kernel/shared-capacity.ts";
import type { DecisionSummary } from "./decision-row.ts";

/** What an agent was denied by one policy, or by none, since the last event about it. */
export type Denial = {
  /** Null for people, who are counted together. */
  agentId: string | null;
  policyId: string | null;
  count: number;
  /** The last decision, and why. */
  decisionId: string;
  reason: DecisionReason;
};

/** The denials of this node that no event has said yet. */
export type Denials = {
  count: (decision: DecisionSummary) => void;
  /** The workspaces that have some. */
  workspaces: () => string[];
  /** Takes some of a workspace. */
  take: (workspaceId: string) => Denial[];
  /** Brings back what no event could be written about. */
  restore: (workspaceId: string, denials: readonly Denial[]) => void;
};

/**
 * The most that wait, of all workspaces, of which each has at most as many as are left for others. More are in the log,
 * but no event says so.
 */
const MOST_WAITING = 10_000;
/** Of one transaction. */
const BATCH = 100;

export function createDenials(): Denials {
  const waiting = new Map<string, Map<string, Denial>>();
  const capacity = createSharedCapacity(MOST_WAITING);

  function add(workspaceId: string, denial: Denial): void {
    const own = waiting.get(workspaceId) ?? new Map<string, Denial>();
    const key = `${denial.agentId} ${denial.policyId}`;
    const known = own.get(key);
    if (known === undefined && !capacity.fits(workspaceId, 1)) return;
    if (known === undefined) capacity.take(workspaceId, 1);
    const last = known !== undefined && known.decisionId > denial.decisionId ? known : denial;
    own.set(key, { ...last, count: denial.count + (known?.count ?? 0) });
    waiting.set(workspaceId, own);
  }

  return {
    count: ({ workspaceId, agentId, id, outcome, reason, matched }) => {
      if (outcome !== "deny") return;
      const policyId = matched.find(({ decided }) => decided)?.id ?? null;
      add(workspaceId, { agentId, policyId, count: 1, decisionId: id, reason });
    },
    workspaces: () => [...waiting.keys()],
    take: (workspaceId) => {
      const own = waiting.get(workspaceId) ?? new Map<string, Denial>();
      const taken = [...own].slice(0, BATCH);
      for (const [key] of taken) own.delete(key);
      if (own.size === 0) waiting.delete(workspaceId);
      capacity.release(workspaceId, taken.length);
      return taken.map(([, denial]) => denial);
    },
    restore: (workspaceId, denials) => {
      for (const denial of denials) add(workspaceId, denial);
    },
  };
}

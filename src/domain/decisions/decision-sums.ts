import type { Logger } from "pino";
import { NIL } from "uuid";
import type { Database } from "../../db/client.ts";
import { sql } from "../../db/sql.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type SharedCapacity, createSharedCapacity } from "../kernel/shared-capacity.ts";
import type { DecisionSummary } from "./decision-row.ts";

/** The sums of this node, on their way to the database. */
export type DecisionSums = {
  /** Counts a decision. Its sums are stored within {@link WRITE_MS}. */
  count: (decision: DecisionSummary) => void;
  /** Whether too many sums of a workspace wait. */
  isFull: (workspaceId: string) => boolean;
  /** Stores what is left. */
  close: () => Promise<void>;
};

/** How long sums wait for more. */
const WRITE_MS = 1000;
/** The most sums that wait, of all workspaces, and of one statement. */
const MOST_SUMS = 50_000;
const BATCH = 2000;

type Kind = Pick<DecisionSummary, "workspaceId" | "action" | "outcome"> & {
  /** {@link NIL} for people, who are counted together. */
  agentId: string;
  would: DecisionSummary["outcome"];
  /** The minute, as ISO 8601. */
  at: string;
};

type DecisionSum = Kind & { count: number };

type PolicySum = {
  workspaceId: string;
  policyId: string;
  at: string;
  hits: number;
  wouldHits: number;
  lastAt: string;
};

type Pending = {
  decisions: Map<string, DecisionSum>;
  policies: Map<string, PolicySum>;
  capacity: SharedCapacity;
};

/**
 * Counts decisions in memory, and adds the counts to the database each second. They are exact, but for what a killed
 * process has not stored yet.
 */
export function createDecisionSums(database: Pick<Database, "run">, log: Logger): DecisionSums {
  const nameAction = createActionNames();
  let pending = createPending();
  let timer: NodeJS.Timeout | null = null;
  let writing = Promise.resolve();
  let isClosed = false;

  function schedule(): void {
    if (isClosed) return;
    timer ??= setTimeout(() => {
      timer = null;
      writing = writing.then(write);
    }, WRITE_MS);
  }

  async function write(): Promise<void> {
    const taken = pending;
    pending = createPending();
    try {
      await writeSums(database, taken);
    } catch (error) {
      log.error({ err: error }, "sums of decisions could not be stored; they are kept");
      for (const sum of taken.decisions.values()) addDecisions(pending, sum);
      for (const sum of taken.policies.values()) addPolicy(pending, sum);
      schedule();
    }
  }

  return {
    count: (decision) => {
      const at = `${decision.createdAt.slice(0, 16)}:00.000Z`;
      countDecision(pending, decision, { at, action: nameAction(decision, at) });
      countPolicies(pending, decision, at);
      schedule();
    },
    isFull: (workspaceId) => !pending.capacity.fits(workspaceId, 1),
    close: async () => {
      if (timer !== null) clearTimeout(timer);
      isClosed = true;
      writing = writing.then(write);
      await writing;
    },
  };
}

function createPending(): Pending {
  return { decisions: new Map(), policies: new Map(), capacity: createSharedCapacity(MOST_SUMS) };
}

/** Names actions in sums: agents choose their names, so that sums of one workspace could be any number. */
function createActionNames(): (decision: DecisionSummary, at: string) => string {
  let hour = "";
  let known = new Map<string, Set<string>>();
  return ({ workspaceId, action, createdAt }) => {
    const ownHour = createdAt.slice(0, 13);
    if (ownHour !== hour) {
      hour = ownHour;
      known = new Map();
    }
    const actions = known.get(workspaceId) ?? new Set();
    known.set(workspaceId, actions);
    if (actions.size >= LIMITS.countedActions && !actions.has(action)) return "";
    actions.add(action);
    return action;
  };
}

function countDecision(
  pending: Pending,
  decision: DecisionSummary,
  { at, action }: { at: string; action: string },
): void {
  const { workspaceId, outcome, would } = decision;
  const agentId = decision.agentId ?? NIL;
  addDecisions(pending, { workspaceId, agentId, at, action, outcome, would: would ?? outcome, count: 1 });
}

function countPolicies(pending: Pending, decision: DecisionSummary, at: string): void {
  for (const { id: policyId, result, mode } of decision.matched) {
    if (result !== true) continue;
    const isEnforced = mode === "enforce";
    const [hits, wouldHits] = isEnforced ? [1, 0] : [0, 1];
    addPolicy(pending, {
      workspaceId: decision.workspaceId,
      policyId,
      at,
      hits,
      wouldHits,
      lastAt: decision.createdAt,
    });
  }
}

function addDecisions({ decisions, capacity }: Pending, sum: DecisionSum): void {
  const { workspaceId, agentId, at, outcome, would, action } = sum;
  const key = [workspaceId, agentId, at, outcome, would, action].join(" ");
  const known = decisions.get(key);
  if (known === undefined) {
    decisions.set(key, sum);
    capacity.take(workspaceId, 1);
    return;
  }
  known.count += sum.count;
}

function addPolicy({ policies, capacity }: Pending, sum: PolicySum): void {
  const key = [sum.policyId, sum.at].join(" ");
  const known = policies.get(key);
  if (known === undefined) {
    policies.set(key, sum);
    capacity.take(sum.workspaceId, 1);
    return;
  }
  known.hits += sum.hits;
  known.wouldHits += sum.wouldHits;
  if (sum.lastAt > known.lastAt) known.lastAt = sum.lastAt;
}

/** Stores sums, and removes those that are stored. */
async function writeSums({ run }: Pick<Database, "run">, { decisions, policies }: Pending): Promise<void> {
  while (decisions.size + policies.size > 0) {
    const sums = [...decisions].slice(0, BATCH);
    const hits = [...policies].slice(0, BATCH);
    await run(ADD, [JSON.stringify(sums.map(([, sum]) => sum)), JSON.stringify(hits.map(([, sum]) => sum))]);
    for (const [key] of sums) decisions.delete(key);
    for (const [key] of hits) policies.delete(key);
  }
}

/** Adds to minutes and hours, in the order of keys: nodes that add to the same ones wait for each other. */
const ADD = sql`
WITH steps AS (SELECT unnest(ARRAY[60, 3600]) AS seconds), added AS (
  INSERT INTO decision_sum AS d (workspace_id, agent_id, seconds, at, action, outcome, would, count)
  SELECT r."workspaceId", r."agentId", s.seconds, date_bin(s.seconds * interval '1 second', r.at, 'epoch'), r.action,
    r.outcome, r.would, sum(r.count)
  FROM jsonb_to_recordset($1::jsonb) AS r("workspaceId" uuid, "agentId" uuid, at timestamptz, action text,
    outcome decision_outcome, would decision_outcome, count int), steps s
  GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7
  ON CONFLICT (workspace_id, agent_id, seconds, at, action, outcome, would)
    DO UPDATE SET count = d.count + EXCLUDED.count
)
INSERT INTO policy_sum AS p (workspace_id, policy_id, seconds, at, hits, would_hits, last_at)
SELECT r."workspaceId", r."policyId", s.seconds, date_bin(s.seconds * interval '1 second', r.at, 'epoch'), sum(r.hits),
  sum(r."wouldHits"), max(r."lastAt")
FROM jsonb_to_recordset($2::jsonb) AS r("workspaceId" uuid, "policyId" uuid, at timestamptz, hits int,
  "wouldHits" int, "lastAt" timestamptz), steps s
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
ON CONFLICT (workspace_id, policy_id, seconds, at) DO UPDATE SET hits = p.hits + EXCLUDED.hits,
  would_hits = p.would_hits + EXCLUDED.would_hits, last_at = GREATEST(p.last_at, EXCLUDED.last_at)`;

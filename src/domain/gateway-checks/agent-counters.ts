import { LRUCache } from "lru-cache";
import { NOW, type Run, sql } from "../../db/sql.ts";
import { type AgentCounters, NO_COUNTERS } from "../policies/evaluation-request.ts";

/** The counters that a node remembers: each agent's for a second. */
export type RememberedCounters = {
  get: (workspaceId: string, agentId: string, read: Run) => Promise<AgentCounters>;
};

const TTL_MS = 1000;
const MOST_AGENTS = 10_000;

/** Remembers what agents did of late, on all nodes. */
export function rememberCounters(): RememberedCounters {
  const known = new LRUCache<string, Promise<AgentCounters>>({ max: MOST_AGENTS, ttl: TTL_MS });
  return {
    get: (workspaceId, agentId, read) => {
      const key = `${workspaceId} ${agentId}`;
      const remembered = known.get(key);
      if (remembered !== undefined) return remembered;
      const counters = readCounters(workspaceId, agentId, read);
      known.set(key, counters);
      counters.catch(() => known.delete(key));
      return counters;
    },
  };
}

async function readCounters(workspaceId: string, agentId: string, read: Run): Promise<AgentCounters> {
  const [row] = await read(COUNTERS, [workspaceId, agentId]);
  return row ?? NO_COUNTERS;
}

/** Of the minute before, the part that is within the last 60 seconds. */
const COUNTERS = sql<AgentCounters>`
WITH t AS (
  SELECT now, date_trunc('minute', now) AS minute, date_trunc('day', now, 'UTC') AS day FROM (SELECT ${NOW} AS now) n
), decided AS (
  SELECT sum(CASE
      WHEN s.at >= t.minute THEN s.count
      WHEN s.at = t.minute - interval '1 minute' THEN s.count * (60 - EXTRACT(SECOND FROM t.now)) / 60 END) AS calls,
    sum(s.count) FILTER (WHERE s.outcome = 'deny') AS denials
  FROM t JOIN decision_sum s ON s.workspace_id = $1::uuid AND s.agent_id = $2::uuid AND s.seconds = 60
    AND s.at > t.now - interval '1 hour'
), charged AS (
  SELECT sum(b.cost_usd) * 1000000 AS cost, sum(b.input_tokens + b.output_tokens) AS tokens
  FROM t JOIN usage_bucket b ON b.workspace_id = $1::uuid AND b.dimension = 'agent' AND b.period = 'day'
    AND b.key = ($2::uuid)::text AND b.start = t.day
)
SELECT COALESCE(ceil(calls), 0)::int AS "callsLastMinute", COALESCE(denials, 0)::int AS "denialsLastHour",
  ${toNumber("ceil(cost)")} AS "costTodayMicroUsd", ${toNumber("tokens")} AS "tokensToday"
FROM decided, charged`;

/** A number that JavaScript has exactly. */
function toNumber(value: string): string {
  return `LEAST(COALESCE(${value}, 0), ${Number.MAX_SAFE_INTEGER})::float8`;
}

import { CLOCK, sql } from "../../db/sql.ts";
import type { Actor } from "./actor.ts";
import type { AppendBatch, Collection, TotalChange } from "./events.ts";

/** Whom quotas hold: agents to all of them, people and directories to all but the rate of events. Null: nobody. */
export type HeldBy = "agent" | "person" | null;

/** What a workspace that stores too much gets no more of. */
const GROWING: ReadonlySet<Collection> = new Set<Collection>(["tasks", "messages", "eval_runs", "missions"]);

/** What urgent acts and the service itself append is counted, but never refused. */
export function getHeld({ type }: Actor, appended: readonly AppendBatch[]): HeldBy {
  const isUrgent = appended.some(
    ({ isUrgent: isSaid, revocations = [] }) => isSaid || revocations.length > 0,
  );
  if (type === "system" || isUrgent) return null;
  return type === "agent" ? "agent" : "person";
}

/** Whether the quota of agents has to be looked at. */
export function addsAgent(actor: Actor, appended: readonly AppendBatch[]): boolean {
  const isAdded = appended.some(({ events }) => events.some(({ type }) => ADDING.has(type)));
  return isAdded && getHeld(actor, appended) !== null;
}

const ADDING = new Set(["agent.created", "agent.restored"]);

/** Returns how many tasks were created, and whether rows were that a workspace without storage may not create. */
export function countCreated(changes: readonly TotalChange[]): { tasks: number; grows: boolean } {
  const created = changes.filter(({ from, to }) => from === undefined && to !== undefined);
  return {
    tasks: created.filter(({ collection }) => collection === "tasks").length,
    grows: created.some(({ collection }) => GROWING.has(collection)),
  };
}

const EVENTS = "jsonb_array_length($2::jsonb)";
const SECOND = `date_trunc('second', ${CLOCK})`;
const TODAY = `(${CLOCK} AT TIME ZONE 'UTC')::date`;

/** Fails the statement, with a text that no other statement's error has. @see findQuotaError */
function refuse(name: string, { limit, used }: { limit: string; used: string }, seconds: string): string {
  return `('quota_exceeded ${name} ' || ${limit} || ' ' || ${used} || ' ' || ${seconds})::int`;
}

/**
 * For the statement that locks and updates the workspace's head: what it counts, and the condition on which it fails.
 * `$6` tasks were created, by an author that quotas hold as `$7` says; `$8`: whether the workspace grows. An append is
 * refused if the second had too many events before it, so that one with more events than the quota can be written.
 */
export const QUOTA_SQL = {
  counted: `
    event_second = ${SECOND},
    events_of_second = CASE WHEN event_second = ${SECOND} THEN events_of_second ELSE 0 END + ${EVENTS},
    task_day = CASE WHEN $6::int > 0 THEN ${TODAY} ELSE task_day END,
    tasks_of_day = CASE WHEN $6::int = 0 OR task_day = ${TODAY} THEN tasks_of_day ELSE 0 END + $6::int`,
  refused: `CASE
    WHEN $7::text = 'agent' AND ${EVENTS} > 0 AND events_of_second - ${EVENTS} >= event_quota
      THEN ${refuse("events_per_second", { limit: "event_quota", used: `events_of_second - ${EVENTS}` }, "1")}
    WHEN $7::text IS NOT NULL AND $6::int > 0 AND tasks_of_day > task_quota
      THEN ${refuse("tasks_per_day", { limit: "task_quota", used: "tasks_of_day - $6::int" }, buildSecondsLeft())}
    WHEN $7::text IS NOT NULL AND $8::boolean AND storage_bytes >= storage_quota
      THEN ${refuse("storage_bytes", { limit: "storage_quota", used: "storage_bytes" }, "'never'")}
    END`,
};

/** SQL: the seconds until the day ends. */
function buildSecondsLeft(): string {
  return `ceil(extract(epoch FROM ${TODAY} + 1 - (${CLOCK} AT TIME ZONE 'UTC')))::int`;
}

/** Fails if the workspace has more agents than it may. After the head was locked, so that it sees those of others. */
export const REQUIRE_AGENT_QUOTA = sql`
SELECT CASE WHEN counted.agents > h.agent_quota
    THEN ${refuse("agents", { limit: "h.agent_quota", used: "(counted.agents - 1)" }, "'never'")} END AS refused
FROM workspace_head h CROSS JOIN LATERAL (
  SELECT count(*) AS agents FROM (
    SELECT 1 FROM agent a WHERE a.workspace_id = $1::uuid AND a.archived_at IS NULL LIMIT h.agent_quota + 1) a
) counted
WHERE h.workspace_id = $1::uuid AND h.agent_quota IS NOT NULL`;

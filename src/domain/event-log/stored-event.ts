import type { ActorRecord } from "../kernel/actor.ts";

/** An event as it is read. */
export type StoredEvent = {
  epoch: string;
  seq: number;
  id: string;
  type: string;
  subjectType: string;
  subjectId: string;
  agentId: string | null;
  actor: ActorRecord;
  data: unknown;
  traceparent: string | null;
  /** ISO 8601, in UTC. */
  occurredAt: string;
};

/** The SELECT list of an event `e` with the head `h`. */
export const EVENT_COLUMNS = `h.epoch::text AS epoch, e.seq::float8 AS seq, e.id, e.type, e.subject_type AS "subjectType",
  e.subject_id AS "subjectId", e.agent_id AS "agentId", e.actor, e.data, e.traceparent,
  to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "occurredAt"`;

/** SQL that leaves out events that only say that a trace has to be read again. A trace may have the id of a task. */
export const IS_TOLD = "e.type <> 'trace.updated'";

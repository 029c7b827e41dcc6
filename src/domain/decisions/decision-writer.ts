import type { Logger } from "pino";
import { getDatabaseErrorKind, isMissingPartition } from "../../db/database-errors.ts";
import type { Database } from "../../db/client.ts";
import { sql } from "../../db/sql.ts";
import { DomainError } from "../kernel/errors.ts";
import { createBatches } from "../kernel/batches.ts";
import { createSharedCapacity } from "../kernel/shared-capacity.ts";
import type { DecisionRow } from "./decision-row.ts";
import { serializeDecision } from "./decision-span.ts";
import { DECISION_PARTITIONS, createDayPartitions } from "../retention/day-partitions.ts";

/** Stores decisions, many with one statement. */
export type DecisionWriter = {
  /** Stores a decision. Resolves when it is stored. @throws {DomainError} unavailable if too many of its workspace wait. */
  store: (row: DecisionRow) => Promise<void>;
  /** Stores a decision within {@link BUFFER_MS}. Waits only while too many of its workspace do. @throws {DomainError} unavailable. */
  buffer: (row: DecisionRow) => Promise<void>;
  /** Stores what is left. */
  close: () => Promise<void>;
};

/** Rows of one statement. */
const BATCH = 200;
/** How long a decision waits for others, if somebody waits for it and if nobody does. */
const STORE_MS = 2;
const BUFFER_MS = 20;
/** What a node holds in memory of decisions that are not stored yet. Workspaces share it. */
export type DecisionLogLimits = {
  /** The most decisions that nobody waits for, and their bytes as JSON. */
  buffered: number;
  bufferedBytes: number;
  /** The most bytes of all. */
  bytes: number;
};

const HELD: DecisionLogLimits = { buffered: 5000, bufferedBytes: 16_777_216, bytes: 67_108_864 };

/** A decision as JSON, and its day. */
type Item = { json: string; day: string };

/**
 * Stores decisions together: many rows with one statement, one statement after the other. While the database is
 * away, permissions wait, and then decisions are refused: what is held never grows beyond its limits.
 */
export function createDecisionWriter(
  database: Pick<Database, "run">,
  log: Logger,
  limits: DecisionLogLimits = HELD,
): DecisionWriter {
  function insertItems(items: readonly Item[]): Promise<PromiseSettledResult<void>[]> {
    return insertAll(database, items, log);
  }
  // By themselves, so that no number of permissions delays a refusal.
  const awaited = createBatches<Item>(BATCH, insertItems);
  const buffered = createBatches<Item>(BATCH, insertItems);
  const capacity = createSharedCapacity(limits.bytes);
  const bufferedBytes = createSharedCapacity(limits.bufferedBytes);
  const bufferedRows = createSharedCapacity(limits.buffered);

  /** @throws {DomainError} unavailable. */
  function hold(row: DecisionRow): Item & { bytes: number } {
    const json = serializeDecision(row);
    const bytes = Buffer.byteLength(json);
    if (!capacity.fits(row.workspaceId, bytes)) throw createFullError();
    capacity.take(row.workspaceId, bytes);
    return { json, bytes, day: row.createdAt.slice(0, 10) };
  }

  return {
    store: async (row) => {
      const { bytes, ...item } = hold(row);
      await awaited.add(item, STORE_MS).finally(() => capacity.release(row.workspaceId, bytes));
    },
    buffer: async (row) => {
      const { workspaceId } = row;
      const { bytes, ...item } = hold(row);
      const isFull = !bufferedBytes.fits(workspaceId, bytes) || !bufferedRows.fits(workspaceId, 1);
      bufferedBytes.take(workspaceId, bytes);
      bufferedRows.take(workspaceId, 1);
      const stored = buffered.add(item, BUFFER_MS).finally(() => {
        capacity.release(workspaceId, bytes);
        bufferedBytes.release(workspaceId, bytes);
        bufferedRows.release(workspaceId, 1);
      });
      if (isFull) return stored;
      // Its failure was logged.
      stored.catch(() => {});
    },
    close: async () => {
      await Promise.all([awaited.close(), buffered.close()]);
    },
  };
}

/** The error for decisions that can't be logged. */
export function createFullError(): DomainError {
  return new DomainError("unavailable", "Decisions can't be stored at the moment. Try again later.");
}

/**
 * If the database rejects a batch, inserts its halves, one after the other, so that no row takes others with it.
 *
 * @returns for each row whether it was stored, or the error.
 */
async function insertAll(
  database: Pick<Database, "run">,
  rows: readonly Item[],
  log: Logger,
): Promise<PromiseSettledResult<void>[]> {
  try {
    await insert(database, rows);
    return rows.map(() => ({ status: "fulfilled", value: undefined }));
  } catch (error) {
    const isRejected = ["unknown", "unstorable"].includes(getDatabaseErrorKind(error));
    if (isRejected && rows.length > 1) {
      const half = Math.ceil(rows.length / 2);
      const first = await insertAll(database, rows.slice(0, half), log);
      return [...first, ...(await insertAll(database, rows.slice(half), log))];
    }
    log.error({ err: error, decisions: rows.length }, "decisions could not be stored");
    return rows.map(() => ({ status: "rejected", reason: error }));
  }
}

/** Creates missing partitions and tries again. */
async function insert(database: Pick<Database, "run">, rows: readonly Item[]): Promise<void> {
  const values = [`[${rows.map(({ json }) => json).join(",")}]`];
  try {
    await database.run(INSERT_DECISIONS, values);
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    const days = new Set(rows.map(({ day }) => day));
    for (const day of days) await createDayPartitions(database, DECISION_PARTITIONS, new Date(day));
    await database.run(INSERT_DECISIONS, values);
  }
}

/** Inserts decisions, given as a JSON array of what {@link serializeDecision} makes, and queues their spans. */
export const INSERT_DECISIONS = sql`
WITH r AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS r("workspaceId" uuid, id uuid, "agentId" uuid, subject jsonb, action text,
    "resourceType" text, "resourceId" text, outcome decision_outcome, reason decision_reason,
    "gateGeneration" int, "policyCount" int, "consideredCount" int, matched jsonb, would decision_outcome,
    budget jsonb, request jsonb, entities jsonb, "requestHash" text, "approvalId" uuid, "executionId" uuid, "taskId" uuid,
    "traceId" text, "requestId" text, "latencyUs" int, "createdAt" timestamptz, span jsonb)
),
queued AS (
  INSERT INTO queued_span (workspace_id, id, span) SELECT "workspaceId", id, span FROM r WHERE span IS NOT NULL
)
INSERT INTO decision (workspace_id, id, agent_id, subject, action, resource_type, resource_id, outcome, reason,
  gate_generation, policy_count, considered_count, matched, would, budget, request, entities, request_hash, approval_id,
  execution_id, task_id, trace_id, request_id, latency_us, created_at)
SELECT "workspaceId", id, "agentId", subject, action, "resourceType", "resourceId", outcome, reason,
  "gateGeneration", "policyCount", "consideredCount", matched, would, budget, request, entities,
  decode("requestHash", 'hex'), "approvalId", "executionId", "taskId", "traceId", "requestId", "latencyUs",
  "createdAt"
FROM r`;

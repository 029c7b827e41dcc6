import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { STOP_TABLE, selectList } from "../../db/columns.ts";
import type { Stop as StopRow } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { DomainError, createFieldError, createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { labels, parseInput, text, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { isInScopeSql, isResumedSql } from "./is-stopped.ts";
import { sendCommandsOfStop } from "./send-stop-commands.ts";
import { type Stop, type StopStage, LISTS_WITH_STOPS, stopEvent, toStop } from "./stop.ts";

const MOST = LIMITS.resumedAgents;

const meant = z
  .strictObject({
    ids: z
      .array(uuid)
      .min(1, "must have at least one id")
      .max(MOST, `must have at most ${MOST} ids`)
      .nullish(),
    labels: labels.refine((value) => Object.keys(value).length > 0, "must have at least one label").nullish(),
    percent: wholeNumber(LIMITS.resumedPercent).nullish(),
  })
  .refine((value) => Object.values(value).filter((one) => one !== null && one !== undefined).length === 1, {
    message: "must have one of ids, labels and percent",
  });

const shape = z.object({ id: uuid, agents: meant, reason: text(LIMITS.textLength) });

type Meant = z.output<typeof meant>;

/**
 * Resumes some agents of a stop, in stages: it no longer covers them. Those that no other stop covers, and that were
 * not paused or stopped themselves, are sent a resume command. Agents that were resumed before stay so.
 *
 * @param input `agents` are named by `ids`, of which all must be in the stop's scope, or those with `labels`, or a
 *   `percent`: the same agents each time, and with a larger number more.
 * @throws {DomainError} forbidden below admin, and for agents; not_found; validation_failed; invalid_state if the stop
 *   was released, or has too many stages.
 */
export async function resumeAgents(ctx: Ctx, input: z.input<typeof shape>): Promise<Stop> {
  requireRole(ctx, "admin");
  const { id, agents, reason } = parseInput(shape, input);
  const stop = await ctx.transaction(async (tx) => {
    const before = await lockStop(tx, id);
    const stageId = uuidv7();
    const count = await insertResumed(tx, { stopId: id, stageId }, agents);
    const { labels: named = null, percent = null, ids } = agents;
    const by = createActorRecord(ctx.actor);
    const at = (await tx.now()).toISOString();
    const stage: StopStage = { id: stageId, at, by, reason, count, labels: named, percent };
    const [after] = await tx.run(ADD_STAGE, [ctx.workspaceId, id, JSON.stringify([stage])]);
    if (after === undefined) throw new Error("an update returned no row");
    const changes = { stage_id: stageId, ids: ids ?? null, labels: named, percent, count, reason };
    append(tx, {
      events: [stopEvent("stop.resumed", before, { stage_id: stageId, count, reason })],
      totals: [...LISTS_WITH_STOPS],
      audit: [{ action: "stop.resumed", targetType: "stop", targetId: id, changes }],
    });
    return toStop(after);
  });
  await sendCommandsOfStop(ctx, id);
  return stop;
}

async function lockStop({ run, ctx }: Transaction, id: string): Promise<Stop> {
  const [row] = await run(LOCK, [ctx.workspaceId, id]);
  if (row === undefined) throw createNotFoundError("stop");
  const stop = toStop(row);
  if (stop.releasedAt !== null) throw new DomainError("invalid_state", "The stop was released.");
  if (stop.stages.length < LIMITS.stopStages) return stop;
  throw new DomainError("invalid_state", `The stop has ${LIMITS.stopStages} stages. Release it.`);
}

const LOCK = sql<StopRow>`
SELECT ${selectList("s", STOP_TABLE)} FROM stop s
WHERE s.workspace_id = $1::uuid AND s.id = $2::uuid FOR NO KEY UPDATE`;

/** @returns how many agents were not resumed before. */
async function insertResumed(
  { run, ctx }: Transaction,
  { stopId, stageId }: { stopId: string; stageId: string },
  { ids, labels: named, percent }: Meant,
): Promise<number> {
  const values = [ids ?? null, named ? JSON.stringify(named) : null, percent ?? null];
  const [found] = await run(INSERT, [ctx.workspaceId, stopId, stageId, ...values]);
  const { inScope = 0, resumed = 0 } = found ?? {};
  if (ids && inScope < new Set(ids).size)
    throw createFieldError("agents.ids", "must be agents that the stop is for");
  if (named && inScope === 0) throw createFieldError("agents.labels", "match no agent that the stop is for");
  return resumed;
}

/** A number from 0 to 99 that depends on the agent's id alone. */
const SHARE = `(SELECT (get_byte(d, 0) * 65536 + get_byte(d, 1) * 256 + get_byte(d, 2)) % 100
    FROM sha256(convert_to(a.id::text, 'UTF8')) d)`;

const INSERT = sql<{ inScope: number; resumed: number }>`
WITH meant AS MATERIALIZED (
  SELECT s.id AS stop_id, a.id, ${isResumedSql("a", "s")} AS is_resumed
  FROM stop s JOIN agent a ON a.workspace_id = s.workspace_id AND a.archived_at IS NULL AND ${isInScopeSql("a", "s")}
  WHERE s.workspace_id = $1::uuid AND s.id = $2::uuid AND ($4::uuid[] IS NULL OR a.id = ANY($4::uuid[]))
    AND ($5::jsonb IS NULL OR a.labels @> $5::jsonb) AND ($6::int IS NULL OR ${SHARE} < $6::int)
), resumed AS (
  INSERT INTO resumed_agent (workspace_id, stop_id, agent_id, stage_id)
  SELECT $1::uuid, stop_id, id, $3::uuid FROM meant WHERE NOT is_resumed
  RETURNING agent_id
)
SELECT (SELECT count(*)::int FROM meant) AS "inScope", (SELECT count(*)::int FROM resumed) AS resumed`;

const ADD_STAGE = sql<StopRow>`
UPDATE stop s SET stages = s.stages || $3::jsonb WHERE s.workspace_id = $1::uuid AND s.id = $2::uuid
RETURNING ${selectList("s", STOP_TABLE)}`;

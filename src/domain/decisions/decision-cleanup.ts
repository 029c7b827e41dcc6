import { firstUuidAt } from "../../db/first-uuid.ts";
import { NOW, type Statement, buildStatement, sql } from "../../db/sql.ts";
import type { Ctx } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type BatchResult, type Cleanup, cleanUpWorkspaces } from "../sweeps/clean-up.ts";

/** The most rows per statement, so that nobody waits long. */
const BATCH = 5000;

/**
 * Cleanups of the sums of decisions, and of the decisions of workspaces that keep them for a shorter time than others
 * do: partitions are deleted whole when no workspace needs them.
 *
 * @param now the time for ages. Only in tests.
 */
export function createDecisionCleanups(services: Services, now: Date | null): Cleanup[] {
  const decisions = { name: "decision", actor: "retention", due: DUE, batch: deleteDecisions };
  return [
    cleanUpWorkspaces(services, now, decisions),
    ...SUMS.map(({ table, due, remove }) =>
      cleanUpWorkspaces(services, now, {
        name: table,
        actor: "retention",
        due,
        batch: (ctx) => deleteSums(ctx, remove),
      }),
    ),
  ];
}

async function deleteDecisions(ctx: Ctx): Promise<BatchResult> {
  return ctx.transaction(async (tx) => {
    const { workspaceId } = ctx;
    const [found] = await tx.run(END, [workspaceId]);
    // Ids are in the order of time, and partitions are by id.
    return toResult(found === undefined ? [] : await tx.run(DELETE, [workspaceId, firstUuidAt(found.end)]));
  });
}

async function deleteSums(ctx: Ctx, remove: Statement): Promise<BatchResult> {
  return ctx.transaction(async (tx) => toResult(await tx.run(remove, [ctx.workspaceId])));
}

function toResult({ length }: readonly object[]): BatchResult {
  return { deleted: length, hasMore: length === BATCH };
}

const DUE = sql<{ id: string }>`
SELECT w.id FROM workspace w
CROSS JOIN LATERAL (SELECT d.created_at FROM decision d WHERE d.workspace_id = w.id ORDER BY d.id LIMIT 1) first
WHERE first.created_at < ${NOW} - make_interval(days => w.decision_retention_days)`;

const END = sql<{ end: Date }>`
SELECT ${NOW} - make_interval(days => decision_retention_days) AS end FROM workspace WHERE id = $1::uuid`;

const DELETE = sql`
DELETE FROM decision WHERE workspace_id = $1::uuid AND id < $2::uuid AND id = ANY(ARRAY(
  SELECT d.id FROM decision d WHERE d.workspace_id = $1::uuid AND d.id < $2::uuid
  ORDER BY d.id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`;

const SUMS = ["decision_sum", "policy_sum"].map((table) => {
  const old = `${table} s WHERE s.workspace_id = w.id AND (
    s.seconds = 60 AND s.at < ${NOW} - interval '${LIMITS.minuteSumHours} hours'
    OR s.seconds = 3600 AND s.at < ${NOW} - make_interval(days => w.decision_retention_days))`;
  return {
    table,
    due: buildStatement<{ id: string }>(
      `${table}_due`,
      `SELECT w.id FROM workspace w WHERE EXISTS (SELECT 1 FROM ${old})`,
    ),
    remove: buildStatement(
      `${table}_remove`,
      `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT s.ctid FROM workspace w, ${old}
         AND w.id = $1::uuid LIMIT ${BATCH} FOR UPDATE OF s SKIP LOCKED)) RETURNING 1`,
    ),
  };
});

import { type Statement, NOW, buildStatement, sql } from "../../db/sql.ts";
import { type Ctx, openCtx, systemCaller } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import type { BatchResult, Cleanup } from "../sweeps/clean-up.ts";
import { type Reference, type RemovalStep, orderRemoval } from "./removal-order.ts";

/** Rows per transaction: few, so that nobody waits long. */
const BATCH = 1000;

/**
 * Removes workspaces whose days of grace are over: their rows in all tables, a batch in each transaction, and in the
 * last one what is left and the workspace itself. It locks rows of that workspace alone, and waits for none but those
 * of the last transaction. What began is continued by any node after a restart.
 *
 * @param now the time for the grace. Only in tests.
 */
export function createWorkspaceRemoval(services: Services, now: Date | null): Cleanup {
  return {
    name: "workspace",
    find: async () => {
      const due = await services.database.run(DUE, [now]);
      if (due.length === 0) return [];
      const steps = await readSteps(services);
      return due.map(({ id }) => {
        const ctx = openCtx(services, systemCaller(id, "removal"), now);
        let place = 0;
        async function run(): Promise<BatchResult> {
          const step = steps[place];
          if (step === undefined) return { deleted: await removeRest(ctx, steps), hasMore: false };
          const count = await runStep(ctx, step);
          if (count < BATCH) place += 1;
          return { deleted: count, hasMore: true };
        }
        return { workspaceId: id, run };
      });
    },
  };
}

async function readSteps({ database }: Services): Promise<RemovalStep[]> {
  const tables = await database.run(TABLES, []);
  return orderRemoval(
    tables.map(({ name }) => name),
    await database.run(REFERENCES, []),
  );
}

async function runStep(ctx: Ctx, step: RemovalStep): Promise<number> {
  return ctx.transaction(async ({ run }) => (await run(buildStep(step, "batch"), [ctx.workspaceId])).length);
}

/** The name of a table is the database's own, as SQL. Row numbers are those of a partition, so the workspace is asked again. */
function buildStep({ table, clear }: RemovalStep, extent: "batch" | "all"): Statement {
  const isSet = clear === null ? "" : `AND (${clear.map((column) => `${column} IS NOT NULL`).join(" OR ")})`;
  const rows =
    extent === "all"
      ? isSet
      : `AND ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE workspace_id = $1::uuid ${isSet}
          LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))`;
  const what =
    clear === null
      ? `DELETE FROM ${table}`
      : `UPDATE ${table} SET ${clear.map((column) => `${column} = NULL`).join(", ")}`;
  return buildStatement("", `${what} WHERE workspace_id = $1::uuid ${rows} RETURNING 1`);
}

/** Nothing can be added any more once the workspace is locked, since every row refers to it, or to one that does. */
async function removeRest(ctx: Ctx, steps: readonly RemovalStep[]): Promise<number> {
  const { services, workspaceId, log } = ctx;
  await services.database.transaction(async ({ run }) => {
    await run(WAIT, []);
    const [locked] = await run(LOCK, [workspaceId, ctx.now]);
    if (locked !== undefined) {
      for (const step of steps) await run(buildStep(step, "all"), [workspaceId]);
      await run(REMOVE, [workspaceId]);
    }
    return { result: null, last: [] };
  });
  log.info({ workspaceId }, "a workspace was deleted");
  return 1;
}

const DUE = sql<{ id: string }>`SELECT id FROM workspace WHERE deletion_at <= ${NOW} ORDER BY deletion_at`;
const WAIT = sql`SET LOCAL lock_timeout = '1s'`;
const LOCK = sql`SELECT 1 FROM workspace WHERE id = $1::uuid AND deletion_at <= ${NOW} FOR UPDATE`;
const REMOVE = sql`DELETE FROM workspace WHERE id = $1::uuid`;

const IS_TABLE = `relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace
  AND EXISTS (SELECT 1 FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname = 'workspace_id' AND NOT w.attisdropped)`;

const TABLES = sql<{ name: string }>`
SELECT c.oid::regclass::text AS name FROM pg_class c WHERE ${IS_TABLE} ORDER BY 1`;

/** Between tables of workspaces' rows. */
const REFERENCES = sql<Reference>`
SELECT f.conrelid::regclass::text AS from, f.confrelid::regclass::text AS to,
  CASE WHEN bool_or(a.attnotnull) FILTER (WHERE a.attname <> 'workspace_id') THEN NULL
    ELSE array_agg(quote_ident(a.attname)) FILTER (WHERE a.attname <> 'workspace_id') END AS columns
FROM pg_constraint f JOIN pg_class c ON c.oid = f.confrelid AND ${IS_TABLE}
JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = ANY(f.conkey)
WHERE f.contype = 'f' AND f.conparentid = 0
GROUP BY f.oid, f.conrelid, f.confrelid ORDER BY 1, 2`;

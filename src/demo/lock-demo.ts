import { sql } from "../db/sql.ts";
import type { Transaction } from "../domain/kernel/context.ts";

/** Locks the demo for writing until the transaction ends. */
export async function lockDemo({ run, ctx }: Transaction): Promise<void> {
  await run(LOCK, [`demo ${ctx.workspaceId}`]);
}

const LOCK = sql`SELECT pg_advisory_xact_lock(hashtextextended($1, 2))::text`;

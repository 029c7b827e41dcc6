import type { Transaction } from "../domain/kernel/context.ts";

/** Locks the demo for writing until the transaction ends. */
export async function lockDemo({ db, ctx }: Transaction): Promise<void> {
  await db.$queryRawUnsafe(
    "SELECT pg_advisory_xact_lock(hashtextextended($1, 2))::text",
    `demo ${ctx.workspaceId}`,
  );
}

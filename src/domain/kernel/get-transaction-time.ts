import type { Transaction } from "./context.ts";

/** The time at which a transaction writes: PostgreSQL's, or a test's. */
export async function getTransactionTime({ db, ctx }: Transaction): Promise<Date> {
  if (ctx.now !== null) return ctx.now;
  const [row] = await db.$queryRawUnsafe<{ now: Date }[]>("SELECT date_trunc('milliseconds', now()) AS now");
  if (row === undefined) throw new Error("PostgreSQL did not tell the time");
  return row.now;
}

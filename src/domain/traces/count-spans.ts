import { randomInt } from "node:crypto";
import { NOW, sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";

/** Transactions that count spans at once, without waiting for each other. */
const SLOTS = 8;

/** Counts what is new today: spans, and calls that a log says. */
export function countSpans({ ctx, runLast }: Transaction, added: number): void {
  if (added > 0) runLast(COUNT, [ctx.workspaceId, randomInt(SLOTS), added]);
}

const COUNT = sql`
INSERT INTO span_day AS d (workspace_id, day, slot, spans)
VALUES ($1::uuid, (${NOW} AT TIME ZONE 'UTC')::date, $2::int2, $3::int4)
ON CONFLICT (workspace_id, day, slot) DO UPDATE SET spans = d.spans + EXCLUDED.spans`;

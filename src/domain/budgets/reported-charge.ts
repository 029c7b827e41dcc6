import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import type { Amounts } from "./budget-amount.ts";

/** What telemetry says that an agent used. Amounts below 0 take back what was charged before. */
export type ReportedCharge = {
  id: string;
  agentId: string;
  /** The agent whose credential sent it. */
  senderId: string;
  /** The reservation that it names. */
  reservationId: string | null;
  /** Null where nobody knows: calls without a price add tokens alone. */
  amounts: Amounts;
  /** When its calls first came. */
  at: Date;
};

/** Keeps charges for the budgets of the workspace, if it has any. They are counted about a second later. */
export function keepCharges({ ctx, runLast }: Transaction, charges: readonly ReportedCharge[]): void {
  runLast(KEEP, [
    ...[ctx.workspaceId, charges.map(({ id }) => id), charges.map(({ agentId }) => agentId)],
    ...[charges.map(({ senderId }) => senderId), charges.map(({ reservationId }) => reservationId)],
    ...[charges.map(({ amounts }) => amounts.usd), charges.map(({ amounts }) => amounts.tokens)],
    charges.map(({ at }) => at),
  ]);
}

const KEEP = sql`
INSERT INTO budget_charge (workspace_id, id, agent_id, sender_id, reservation_id, usd_micros, tokens, at)
SELECT $1::uuid, g.* FROM unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::int8[], $7::int8[],
  $8::timestamptz[]) g
WHERE EXISTS (SELECT 1 FROM budget WHERE workspace_id = $1::uuid)`;

/** Charges to count, the first ones first. $2 is how many. */
export const KEPT_CHARGES = sql<
  Omit<ReportedCharge, "amounts"> & { usdMicros: bigint | null; tokens: bigint | null }
>`
SELECT id, agent_id AS "agentId", sender_id AS "senderId", reservation_id AS "reservationId",
  usd_micros AS "usdMicros", tokens, at
FROM budget_charge WHERE workspace_id = $1::uuid ORDER BY id LIMIT $2::int`;

/** Which charges no other node counts or has counted. */
export const LOCK_CHARGES = sql<{ id: string }>`
SELECT id FROM budget_charge WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[]) FOR UPDATE SKIP LOCKED`;

export const DELETE_CHARGES = sql`
DELETE FROM budget_charge WHERE workspace_id = $1::uuid AND id = ANY($2::uuid[])`;

import { z } from "zod";
import { sql } from "../../db/sql.ts";
import type { BudgetUnit } from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { toWindowName } from "./ledger.ts";
import {
  type BudgetState,
  type ReservationRow,
  type ReservationView,
  type StoredReservation,
  toReservation,
} from "./reservation.ts";
import { RESERVATION_COLUMNS } from "./reservation-statements.ts";

const shape = z.object({ id: uuid });

/**
 * Reads a reservation that the calling agent made, with the sums of its budgets as they are now.
 *
 * @throws {DomainError} insufficient_scope without `gateway:check`; forbidden for anybody but agents;
 *   not_found, also for one that another agent made.
 */
export async function readReservation(ctx: Ctx, input: z.input<typeof shape>): Promise<ReservationView> {
  requireScope(ctx, "gateway:check");
  const { id: callerId } = requireAgent(ctx);
  const { id } = parseInput(shape, input);
  const [row] = await ctx.read(FIND, [ctx.workspaceId, id, callerId]);
  if (row === undefined) throw createNotFoundError("reservation");
  const [view] = await readViews(ctx, [toReservation(row)]);
  if (view === undefined) throw createNotFoundError("reservation");
  return view;
}

const FIND = sql<ReservationRow>`
SELECT ${RESERVATION_COLUMNS} FROM reservation r
WHERE r.workspace_id = $1::uuid AND r.id = $2::uuid AND COALESCE(r.delegate_id, r.agent_id) = $3::uuid`;

/** Adds the sums of their budgets, with one statement for all. */
export async function readViews<Row extends Pick<StoredReservation, "lines">>(
  ctx: Ctx,
  reservations: readonly Row[],
): Promise<(Omit<Row, "lines"> & Pick<ReservationView, "budgets">)[]> {
  const keys = reservations.flatMap(({ lines }) =>
    lines.map(({ budgetId, windowStart, subject }) => ({ budgetId, windowStart, subject })),
  );
  const rows = keys.length === 0 ? [] : await ctx.read(SUMS, [ctx.workspaceId, JSON.stringify(keys)]);
  const sums = new Map(
    rows.map(({ id, ...sum }) => [toWindowName({ ...sum, budgetId: id }), { id, ...sum }]),
  );
  return reservations.map(({ lines, ...reservation }) => ({
    ...reservation,
    budgets: lines.flatMap((line) => {
      const sum = sums.get(toWindowName(line));
      return sum === undefined ? [] : [{ ...sum, amount: line.amount }];
    }),
  }));
}

const SUMS = sql<Omit<BudgetState, "amount"> & { unit: BudgetUnit }>`
SELECT DISTINCT b.id, b.name, b.unit::text, w.subject, w.limit_amount AS "limit", w.used, w.reserved,
  w.window_start AS "windowStart", w.window_end AS "windowEndsAt"
FROM jsonb_to_recordset($2::jsonb) AS a("budgetId" uuid, "windowStart" timestamptz, subject text)
JOIN budget_window w ON w.workspace_id = $1::uuid AND w.budget_id = a."budgetId"
  AND w.window_start = a."windowStart" AND w.subject = a.subject
JOIN budget b ON b.workspace_id = w.workspace_id AND b.id = w.budget_id`;

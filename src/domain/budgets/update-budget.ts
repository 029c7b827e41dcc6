import { z } from "zod";
import type { Budget } from "../../db/generated/client.ts";
import { NOW, sql } from "../../db/sql.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError } from "../kernel/errors.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { listChanges } from "../kernel/list-changes.ts";
import { formatAmount } from "./budget-amount.ts";
import { budgetChanges, parseEstimate, parseLimit } from "./budget-rule.ts";
import { appendBudgetChange, findBudget, lockBudgets, requireRoom } from "./change-budgets.ts";

const shape = budgetChanges.extend({ id: uuid, ifGeneration: z.int().nullish() });

/**
 * Changes a budget. Fields that are left out don't change. A new limit holds at once, also for the current period:
 * if more than that is used or reserved, nothing is admitted.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found; precondition_failed
 *   if its generation is another one than `ifGeneration`; validation_failed; already_exists.
 */
export async function updateBudget(ctx: Ctx, input: z.input<typeof shape>): Promise<Budget> {
  requireSudo(ctx, "admin");
  const { id, ifGeneration, limit, defaultEstimate, ...asked } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    await lockBudgets(tx);
    const before = await findBudget(tx, id);
    if (typeof ifGeneration === "number" && before.generation !== ifGeneration) {
      throw new DomainError("precondition_failed", "The budget was changed. Read it again.");
    }
    const wanted = {
      ...asked,
      ...(limit !== undefined && { limitAmount: parseLimit(before.unit, limit) }),
      ...(defaultEstimate !== undefined && {
        defaultEstimate: parseEstimate(before.unit, defaultEstimate),
      }),
    };
    const changes = listChanges(before, wanted, (value) =>
      typeof value === "bigint" ? formatAmount(before.unit, value) : value,
    );
    if (Object.keys(changes).length === 0) return before;
    if (asked.name !== undefined) await requireRoom(tx, asked.name, id);
    const generation = before.generation + 1;
    const own = { generation, updatedBy: createActorRecord(ctx.actor), updatedAt: await tx.now() };
    const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
    const budget = await tx.db.budget.update({ where, data: { ...wanted, ...own } });
    await tx.run(SET_LIMITS, [ctx.workspaceId, id, budget.limitAmount]);
    await appendBudgetChange(tx, "budget.updated", { budget, changes });
    return budget;
  });
}

/** Sums of past periods keep the limit that they had. */
const SET_LIMITS = sql`
UPDATE budget_window SET limit_amount = $3::bigint
WHERE workspace_id = $1::uuid AND budget_id = $2::uuid AND (window_end IS NULL OR window_end > ${NOW})`;

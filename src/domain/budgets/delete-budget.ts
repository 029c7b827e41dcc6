import { z } from "zod";
import type { Budget } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";
import { appendBudgetChange, findBudget, lockBudgets } from "./change-budgets.ts";

const shape = z.object({ id: uuid });

/**
 * Deletes a budget with all of its sums. Reservations stay, for other budgets that they are for.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; not_found.
 */
export async function deleteBudget(ctx: Ctx, input: z.input<typeof shape>): Promise<Budget> {
  requireSudo(ctx, "admin");
  const { id } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    await lockBudgets(tx);
    const budget = await findBudget(tx, id);
    await tx.db.budget.delete({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
    await appendBudgetChange(tx, "budget.deleted", { budget, changes: { name: budget.name } });
    return budget;
  });
}

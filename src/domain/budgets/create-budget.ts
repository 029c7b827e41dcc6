import { v7 as uuidv7 } from "uuid";
import type { z } from "zod";
import type { Budget } from "../../db/generated/client.ts";
import { requireAgent } from "../agents/require-agent.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireSudo } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { newBudget, parseEstimate, parseLimit } from "./budget-rule.ts";
import { appendBudgetChange, lockBudgets, requireRoom } from "./change-budgets.ts";

/**
 * Creates a budget. It counts from now on: what was used before does not.
 *
 * @param input amounts are text: dollars as `0.42`, tokens and calls as whole numbers.
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed, also for an
 *   agent that does not exist; already_exists.
 */
export async function createBudget(ctx: Ctx, input: z.input<typeof newBudget>): Promise<Budget> {
  requireSudo(ctx, "admin");
  const { limit, defaultEstimate, scope, ...rule } = parseInput(newBudget, input);
  const amounts = {
    limitAmount: parseLimit(rule.unit, limit),
    defaultEstimate: parseEstimate(rule.unit, defaultEstimate),
  };
  const { type, agentId = null, label = null, value = null } = scope;
  return ctx.transaction(async (tx) => {
    await lockBudgets(tx);
    await requireRoom(tx, rule.name, null);
    await requireAgent(tx, { field: "scope.agentId", id: agentId });
    const [now, by] = [await tx.now(), createActorRecord(ctx.actor)];
    const budget = await tx.db.budget.create({
      data: {
        ...rule,
        ...amounts,
        workspaceId: ctx.workspaceId,
        id: uuidv7(),
        scope: type,
        scopeAgentId: agentId,
        scopeLabel: label,
        scopeValue: value,
        createdBy: by,
        updatedBy: by,
        createdAt: now,
        updatedAt: now,
      },
    });
    const changes = { ...rule, scope: { ...scope }, limit, default_estimate: defaultEstimate };
    await appendBudgetChange(tx, "budget.created", { budget, changes });
    return budget;
  });
}

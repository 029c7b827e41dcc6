import type { Budget } from "../../db/generated/client.ts";
import { sql } from "../../db/sql.ts";
import type { Transaction } from "../kernel/context.ts";
import { DomainError, createFieldError, createNotFoundError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { LOCK_BUDGETS } from "./reservation-statements.ts";

export type BudgetChange = "budget.created" | "budget.updated" | "budget.deleted";

/** Locks the workspace's budgets: running reservations are over, and later ones see the change. */
export async function lockBudgets(tx: Transaction): Promise<void> {
  await lockWorkspace(tx);
  await tx.run(LOCK_BUDGETS, [tx.ctx.workspaceId]);
}

/** @throws {DomainError} not_found. */
export async function findBudget({ db, ctx }: Transaction, id: string): Promise<Budget> {
  const budget = await db.budget.findUnique({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
  });
  if (budget === null) throw createNotFoundError("budget");
  return budget;
}

/**
 * Requires that no other budget has this name, and that there is room for one more. The budgets are locked.
 *
 * @param id the budget that gets the name; null for a new one.
 * @throws {DomainError} already_exists; validation_failed.
 */
export async function requireRoom(tx: Transaction, name: string, id: string | null): Promise<void> {
  const [found] = await tx.run(ROOM, [tx.ctx.workspaceId, name, id]);
  if (found === undefined) throw createNotFoundError("workspace");
  if (found.hasName) {
    throw new DomainError("already_exists", "A budget with this name already exists.", { field: "name" });
  }
  if (id === null && found.total >= LIMITS.budgets) {
    throw createFieldError("name", `can't be added: a workspace has at most ${LIMITS.budgets} budgets`);
  }
}

const ROOM = sql<{ total: number; hasName: boolean }>`
SELECT (SELECT count(*)::int FROM budget WHERE workspace_id = $1::uuid) AS total,
  EXISTS (SELECT 1 FROM budget WHERE workspace_id = $1::uuid AND name = $2 AND id IS DISTINCT FROM $3::uuid)
    AS "hasName"`;

/** Appends a change. Later reservations don't use remembered budgets. `changes` has no bigint. */
export async function appendBudgetChange(
  tx: Transaction,
  change: BudgetChange,
  {
    budget,
    changes,
  }: { budget: Pick<Budget, "id" | "name" | "generation">; changes: Record<string, unknown> },
): Promise<void> {
  const { id, name, generation } = budget;
  await tx.run(COUNT_CHANGE, [tx.ctx.workspaceId]);
  append(tx, {
    events: [{ type: change, subjectType: "budget", subjectId: id, data: { name, generation } }],
    totals: [TOTALS[change]],
    audit: [{ action: change, targetType: "budget", targetId: id, changes }],
  });
}

const COUNT_CHANGE = sql`UPDATE workspace SET budget_generation = budget_generation + 1 WHERE id = $1::uuid`;

const TOTALS = {
  "budget.created": { collection: "budgets", to: null },
  "budget.updated": { collection: "budgets", from: null, to: null },
  "budget.deleted": { collection: "budgets", from: null },
} as const;

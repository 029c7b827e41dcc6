import type { Ctx } from "../kernel/context.ts";
import { DomainError, createFieldError } from "../kernel/errors.ts";
import { append } from "../kernel/events.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { QUOTAS, type QuotaName } from "./quota.ts";

/**
 * Sets quotas of the workspace; null for no limit. Those that are left out don't change. They hold from the next write on.
 *
 * @throws {DomainError} forbidden for all but the operator of the service; validation_failed.
 */
export async function setQuotas(
  ctx: Ctx,
  asked: Readonly<Partial<Record<QuotaName, number | null>>>,
): Promise<void> {
  if (ctx.actor.type !== "system")
    throw new DomainError("forbidden", "Quotas are set by who runs the service.");
  const names = Object.keys(QUOTAS)
    // The keys of the table.
    .map((name) => name as QuotaName)
    .filter((name) => asked[name] !== undefined);
  for (const name of names) requireRange(name, asked[name]);
  await ctx.transaction(async (tx) => {
    const where = { workspaceId: ctx.workspaceId };
    const { generation } = await lockWorkspace(tx);
    const before = await tx.db.workspaceHead.findUniqueOrThrow({ where });
    const changed = names.filter((name) => toNumber(before[QUOTAS[name].column]) !== asked[name]);
    if (changed.length === 0) return;
    const data = Object.fromEntries(changed.map((name) => [QUOTAS[name].column, asked[name]]));
    await tx.db.workspaceHead.update({ where, data });
    const workspace = { generation: generation + 1, updatedAt: await tx.now() };
    await tx.db.workspace.update({ where: { id: ctx.workspaceId }, data: workspace });
    const changes = Object.fromEntries(
      changed.map((name) => [name, { from: toNumber(before[QUOTAS[name].column]), to: asked[name] }]),
    );
    const target = { targetType: "workspace", targetId: ctx.workspaceId };
    append(tx, {
      events: [
        {
          type: "workspace.updated",
          subjectType: "workspace",
          subjectId: ctx.workspaceId,
          data: { generation: workspace.generation },
        },
      ],
      audit: [{ action: "workspace.quotas_changed", ...target, changes }],
    });
  });
}

function requireRange(name: QuotaName, value: number | null | undefined): void {
  const { max } = QUOTAS[name];
  if (typeof value !== "number" || (Number.isSafeInteger(value) && value >= 0 && value <= max)) return;
  throw createFieldError(name, `must be a whole number from 0 to ${max}, or none`);
}

function toNumber(value: number | bigint | null): number | null {
  return value === null ? null : Number(value);
}

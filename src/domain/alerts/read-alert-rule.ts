import { z } from "zod";
import type { AlertRule, Prisma } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput, uuid } from "../kernel/input.ts";

const shape = z.object({ id: uuid });

/**
 * Reads one alert rule. `query` selects columns.
 *
 * @throws {DomainError} insufficient_scope without `events:read`; not_found.
 */
export async function readAlertRule(
  ctx: Ctx,
  input: z.input<typeof shape>,
  query: Pick<Prisma.AlertRuleFindUniqueArgs, "include" | "select"> = {},
): Promise<AlertRule> {
  requireScope(ctx, "events:read");
  const { id } = parseInput(shape, input);
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id } };
  const rule = await ctx.db.alertRule.findUnique({ ...query, where });
  if (rule === null) throw createNotFoundError("alert rule");
  return rule;
}

import { z } from "zod";
import type { MissionTemplate } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createNotFoundError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { appendTemplateChange, templateName } from "./mission-template.ts";

const shape = z.object({ name: templateName });

/**
 * Deletes a template of missions. Missions that were created from it stay as they are.
 *
 * @throws {DomainError} forbidden below operator, and for agents; not_found.
 */
export async function deleteMissionTemplate(
  ctx: Ctx,
  input: z.input<typeof shape>,
): Promise<MissionTemplate> {
  requireRole(ctx, "operator");
  const { name } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const where = { workspaceId_name: { workspaceId: ctx.workspaceId, name } };
    const template = await tx.db.missionTemplate.findUnique({ where });
    if (template === null) throw createNotFoundError("template");
    await tx.db.missionTemplate.delete({ where });
    appendTemplateChange(tx, "deleted", { template, changes: {} });
    return template;
  });
}

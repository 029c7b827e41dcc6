import type { MissionTemplate } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { requireScope } from "../kernel/guard.ts";

/**
 * Lists all templates of missions, by name.
 *
 * @throws {DomainError} insufficient_scope without `missions:read`.
 */
export async function listMissionTemplates(ctx: Ctx): Promise<MissionTemplate[]> {
  requireScope(ctx, "missions:read");
  return ctx.db.missionTemplate.findMany({ orderBy: { name: "asc" } });
}

import { z } from "zod";
import type { Workspace } from "../../db/generated/client.ts";
import type { Ctx } from "../context.ts";
import { append } from "../events.ts";
import { requireRole, requireSudo } from "../guard.ts";
import { parseInput, nameInLetters, wholeNumber } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { nowOf } from "../now-of.ts";

const shape = z.object({
  name: nameInLetters(LIMITS.nameLength).optional(),
  eventRetentionDays: wholeNumber(LIMITS.eventRetentionDays).optional(),
  missionRetentionDays: wholeNumber(LIMITS.missionRetentionDays).optional(),
  revokesKeysOfSuspendedCreator: z.boolean().optional(),
});

type Settings = z.output<typeof shape>;

/**
 * Changes settings of the workspace: those that are given. Whether keys die with the suspension of
 * their maker is the owners' choice.
 *
 * @throws {DomainError} forbidden for less than an admin, and for less than an owner with
 *   `revokesKeysOfSuspendedCreator`; sudo_required with it; validation_failed.
 */
export async function updateWorkspace(ctx: Ctx, input: z.input<typeof shape>): Promise<Workspace> {
  requireRole(ctx, "admin");
  const asked = parseInput(shape, input);
  if (asked.revokesKeysOfSuspendedCreator !== undefined) requireSudo(ctx, "owner");
  return ctx.transaction(async (tx) => {
    const where = { id: ctx.workspaceId };
    await tx.db.$queryRawUnsafe("SELECT 1 FROM workspace WHERE id = $1::uuid FOR UPDATE", ctx.workspaceId);
    const before = await tx.db.workspace.findUniqueOrThrow({ where });
    const changes = changesOf(before, asked);
    if (Object.keys(changes).length === 0) return before;
    const after = await tx.db.workspace.update({
      where,
      data: {
        name: asked.name ?? before.name,
        eventRetentionDays: asked.eventRetentionDays ?? before.eventRetentionDays,
        missionRetentionDays: asked.missionRetentionDays ?? before.missionRetentionDays,
        revokesKeysOfSuspendedCreator:
          asked.revokesKeysOfSuspendedCreator ?? before.revokesKeysOfSuspendedCreator,
        generation: before.generation + 1,
        updatedAt: await nowOf(tx),
      },
    });
    const subject = { subjectType: "workspace", subjectId: after.id };
    await append(tx, {
      events: [{ type: "workspace.updated", ...subject, data: { generation: after.generation } }],
      audit: [{ action: "workspace.updated", targetType: "workspace", targetId: after.id, changes }],
    });
    return after;
  });
}

/** What would become different, by the names that the audit trail uses. */
function changesOf(before: Workspace, asked: Settings): Record<string, { from: unknown; to: unknown }> {
  const fields = {
    name: [before.name, asked.name],
    event_retention_days: [before.eventRetentionDays, asked.eventRetentionDays],
    mission_retention_days: [before.missionRetentionDays, asked.missionRetentionDays],
    revokes_keys_of_suspended_creator: [
      before.revokesKeysOfSuspendedCreator,
      asked.revokesKeysOfSuspendedCreator,
    ],
  };
  const changed = Object.entries(fields).filter(([, [from, to]]) => to !== undefined && from !== to);
  return Object.fromEntries(changed.map(([name, [from, to]]) => [name, { from, to }]));
}

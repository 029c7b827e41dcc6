import { z } from "zod";
import type { Robot } from "../../db/generated/client.ts";
import { toColumnName } from "../../db/columns.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireRole } from "../kernel/guard.ts";
import { name, parseInput, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { lockRobot } from "./lock-robot.ts";

const label = name(LIMITS.nameLength).nullish();

const shape = z.object({
  id: uuid,
  acceptsMissions: z.boolean().optional(),
  fleet: label,
  manufacturer: label,
  model: label,
  serialNumber: label,
});

type Change = { field: string; from: unknown; to: unknown };

/**
 * Updates a robot's description, and whether it gets missions. Fields that are left out don't change; null
 * removes a value.
 *
 * @throws {DomainError} forbidden below operator, and for agents; not_found; validation_failed.
 */
export async function updateRobot(ctx: Ctx, input: z.input<typeof shape>): Promise<Robot> {
  requireRole(ctx, "operator");
  const { id, ...asked } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    const { robot: before, now } = await lockRobot(tx, id);
    const changes = listChanges(before, asked);
    if (changes.length === 0) return before;
    const generation = before.generation + 1;
    const data = Object.fromEntries(changes.map(({ field, to }) => [field, to]));
    const after = await tx.db.robot.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
      data: { ...data, generation, updatedAt: now },
    });
    const eventData = changes.map(({ field, to }) => [toColumnName(field), to] as const);
    const audited = changes.map(({ field, from, to }) => [toColumnName(field), { from, to }] as const);
    append(tx, {
      events: [
        {
          type: "robot.updated",
          subjectType: "robot",
          subjectId: id,
          agentId: id,
          data: { ...Object.fromEntries(eventData), generation },
        },
      ],
      totals: [{ collection: "robots", from: null, to: null }],
      audit: [
        {
          action: "robot.updated",
          targetType: "robot",
          targetId: id,
          changes: Object.fromEntries(audited),
        },
      ],
    });
    return after;
  });
}

function listChanges(before: Robot, asked: Omit<z.output<typeof shape>, "id">): Change[] {
  const known: Record<string, unknown> = before;
  return Object.entries(asked)
    .map(([field, to]) => ({ field, from: known[field], to }))
    .filter(({ from, to }) => to !== undefined && to !== from);
}

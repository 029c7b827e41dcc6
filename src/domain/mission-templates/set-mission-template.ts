import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { toColumnName } from "../../db/columns.ts";
import type { MissionTemplate, Prisma } from "../../db/generated/client.ts";
import { NO_JSON } from "../../db/no-json.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { listChanges } from "../kernel/list-changes.ts";
import { missionPlan } from "../missions/mission-plan.ts";
import { robotRequirements } from "../missions/robot-requirements.ts";
import { lockWorkspace } from "../workspaces/lock-workspace.ts";
import { appendTemplateChange, templateName } from "./mission-template.ts";

const { deadlineAt: _deadline, ...plan } = missionPlan;

const shape = z.object({
  ...plan,
  ...robotRequirements,
  name: templateName,
  estimatedDurationSeconds: wholeNumber(LIMITS.durationSeconds).nullish().default(null),
});

type Fields = Omit<z.output<typeof shape>, "minBatteryPercent"> & { minBatteryPercent: number | null };

/**
 * Creates a template of missions, or replaces the one of this name: what `createMission` takes, without a robot, a
 * deadline and a task.
 *
 * @throws {DomainError} forbidden below operator, and for agents; validation_failed, also for one more than a workspace
 *   may have.
 */
export async function setMissionTemplate(ctx: Ctx, input: z.input<typeof shape>): Promise<MissionTemplate> {
  requireRole(ctx, "operator");
  const { minBatteryPercent = null, ...parsed } = parseInput(shape, input);
  const fields = { ...parsed, minBatteryPercent };
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const where = { workspaceId_name: { workspaceId: ctx.workspaceId, name: fields.name } };
    const before = await tx.db.missionTemplate.findUnique({ where });
    return before === null ? create(tx, fields) : replace(tx, before, fields);
  });
}

async function create(tx: Transaction, fields: Fields): Promise<MissionTemplate> {
  const { db, ctx } = tx;
  if ((await db.missionTemplate.count()) >= LIMITS.missionTemplates) {
    throw createFieldError(
      "name",
      `is one too many: a workspace has at most ${LIMITS.missionTemplates} templates`,
    );
  }
  const [now, by] = [await tx.now(), createActorRecord(ctx.actor)];
  const template = await db.missionTemplate.create({
    data: {
      ...toColumns(fields),
      ...{ workspaceId: ctx.workspaceId, id: uuidv7() },
      ...{ createdBy: by, updatedBy: by, createdAt: now, updatedAt: now },
    },
  });
  const changes = Object.entries(fields).map(
    ([field, value]) => [toColumnName(field), toShown(value)] as const,
  );
  appendTemplateChange(tx, "created", { template, changes: Object.fromEntries<unknown>(changes) });
  return template;
}

async function replace(tx: Transaction, before: MissionTemplate, fields: Fields): Promise<MissionTemplate> {
  const changes = listChanges<object>(before, fields, toShown);
  if (Object.keys(changes).length === 0) return before;
  const template = await tx.db.missionTemplate.update({
    where: { workspaceId_id: { workspaceId: before.workspaceId, id: before.id } },
    data: {
      ...toColumns(fields),
      generation: before.generation + 1,
      updatedBy: createActorRecord(tx.ctx.actor),
      updatedAt: await tx.now(),
    },
  });
  appendTemplateChange(tx, "updated", { template, changes });
  return template;
}

/** The steps and the selector are JSON that was parsed. */
function toColumns({ steps, selector, ...columns }: Fields) {
  return { ...columns, steps: steps as Prisma.InputJsonArray, selector: selector ?? NO_JSON };
}

/** An audit row says how many steps there are. */
function toShown(value: unknown): unknown {
  return Array.isArray(value) ? value.length : value;
}

import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Mission, Prisma } from "../../db/generated/client.ts";
import { MissionKind, MissionStepType } from "../../db/generated/enums.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { type AppendContent, append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { claimIdempotencyKey } from "../kernel/idempotency.ts";
import {
  handle,
  jsonObject,
  jsonProblem,
  labels,
  parseInput,
  text,
  uuid,
  wholeNumber,
} from "../kernel/input.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { LIMITS } from "../kernel/limits.ts";
import { parseTraceId } from "../kernel/traceparent.ts";
import { assignMissions } from "./assign-missions.ts";
import { missionEvent } from "./move-missions.ts";

const { min: fewest, max: most } = LIMITS.missionSteps;

const newStep = z.strictObject({
  key: handle,
  type: z.enum(MissionStepType),
  params: jsonObject(LIMITS.missionStepsBytes).default({}),
});

const steps = z
  .array(newStep)
  .min(fewest, `must have at least ${fewest} entry`)
  .max(most, `must have at most ${most} entries`)
  .superRefine((given, context) => {
    const twice = given.findIndex(({ key }, index) => given.findIndex((one) => one.key === key) < index);
    if (twice >= 0) context.addIssue({ code: "custom", path: [twice, "key"], message: "must be unique" });
    const problem = jsonProblem(given, LIMITS.missionStepsBytes);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
  });

const shape = z
  .object({
    title: text(LIMITS.titleLength),
    kind: z.enum(MissionKind),
    robotId: uuid.nullish(),
    selector: z
      .strictObject({
        kind: z.literal("robot", "must be robot").nullish(),
        fleet: text(LIMITS.nameLength).nullish(),
        labels: labels.nullish(),
      })
      .nullish(),
    steps,
    priority: wholeNumber(LIMITS.priority).default(LIMITS.priority.default),
    minBatteryPercent: z.number().min(LIMITS.percent.min).max(LIMITS.percent.max).nullish(),
    estimatedDurationSeconds: wholeNumber(LIMITS.durationSeconds).nullish(),
    deadlineAt: z.date().nullish(),
    taskId: uuid.nullish(),
    contextId: uuid.nullish(),
  })
  .refine(({ robotId, selector }) => !(robotId && selector), {
    path: ["selector"],
    message: "can't be combined with robotId",
  });

type NewMission = z.output<typeof shape>;

/**
 * Creates a mission and assigns it to a robot if one is free: the given one, or any that the selector
 * allows. Otherwise it waits with status `pending`.
 *
 * @returns the mission; for a repeated Idempotency-Key, the mission that it created.
 * @throws {DomainError} insufficient_scope without `missions:write`; validation_failed; idempotency errors.
 */
export async function createMission(ctx: Ctx, input: z.input<typeof shape>): Promise<Mission> {
  requireScope(ctx, "missions:write");
  const fields = parseInput(shape, input);
  const id = uuidv7();
  return ctx.transaction(async (tx) => {
    const made = await claimIdempotencyKey(tx, id);
    if (made !== null) return findMission(tx, made);
    const contextId = await requireReferences(tx, fields);
    const mission = await insert(tx, { ...fields, id, contextId });
    const created: AppendContent = {
      events: [missionEvent("mission.created", mission)],
      totals: [{ collection: "missions", to: mission.status }],
      audit:
        ctx.actor.type === "agent"
          ? []
          : [
              {
                action: "mission.created",
                targetType: "mission",
                targetId: id,
                changes: toAuditChanges(mission),
              },
            ],
    };
    const { missions, appended } = await assignMissions(tx, id);
    append(tx, mergeAppends(created, appended));
    return missions[0] ?? mission;
  });
}

async function insert(
  tx: Transaction,
  { steps: given, robotId, selector, ...fields }: NewMission & { id: string; contextId: string },
): Promise<Mission> {
  const { db, ctx } = tx;
  const { id } = fields;
  const { workspaceId } = ctx;
  const now = await tx.now();
  const named = Object.entries(selector ?? {}).filter(([, value]) => value !== null && value !== undefined);
  const mission = await db.mission.create({
    data: {
      ...fields,
      workspaceId,
      minBatteryPercent: fields.minBatteryPercent ?? null,
      estimatedDurationSeconds: fields.estimatedDurationSeconds ?? null,
      deadlineAt: fields.deadlineAt ?? null,
      taskId: fields.taskId ?? null,
      requestedRobotId: robotId ?? null,
      ...(named.length > 0 && { selector: Object.fromEntries(named) }),
      traceId: parseTraceId(ctx.traceparent),
      createdBy: createActorRecord(ctx.actor),
      createdAt: now,
      updatedAt: now,
    },
  });
  await db.missionStep.createMany({
    data: given.map(({ key, type, params }, index) => ({
      ...{ workspaceId, missionId: id, seq: index + 1, key, type },
      // JSON that was parsed.
      params: params as Prisma.InputJsonObject,
    })),
  });
  return mission;
}

function toAuditChanges({ kind, priority, requestedRobotId }: Mission): Record<string, unknown> {
  return { kind, priority, robot_id: requestedRobotId };
}

async function findMission({ db, ctx }: Transaction, id: string): Promise<Mission> {
  return db.mission.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
}

/** @returns the mission's context: by default its task's. */
async function requireReferences(
  tx: Transaction,
  { robotId, taskId, contextId }: NewMission,
): Promise<string> {
  const { db, ctx } = tx;
  const { workspaceId } = ctx;
  if (robotId) {
    const where = { workspaceId_id: { workspaceId, id: robotId }, agent: { archivedAt: null } };
    const robot = await db.robot.findUnique({ where, select: { id: true } });
    if (robot === null) throw createFieldError("robotId", "is not a robot of this workspace");
  }
  if (!taskId) return contextId ?? uuidv7();
  const where = { workspaceId_id: { workspaceId, id: taskId } };
  const task = await db.task.findUnique({ where, select: { contextId: true } });
  if (task === null) throw createFieldError("taskId", "is not a task of this workspace");
  return contextId ?? task.contextId;
}

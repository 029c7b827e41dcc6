import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Mission } from "../../db/generated/client.ts";
import { askAboutOrder } from "../gateway-checks/ask-about-order.ts";
import { type NoteDecisions, withOrderLog } from "../gateway-checks/with-order-log.ts";
import { createActorRecord } from "../kernel/actor.ts";
import type { Ctx, Transaction } from "../kernel/context.ts";
import { type AuditInput, append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { claimIdempotencyKey } from "../kernel/idempotency.ts";
import { parseInput, uuid, wholeNumber } from "../kernel/input.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { LIMITS } from "../kernel/limits.ts";
import { parseTraceId } from "../kernel/traceparent.ts";
import { assignMissions } from "./assign-missions.ts";
import { type MissionDecision, decideMission } from "./decide-mission.ts";
import { insertSteps, missionPlan, toPlanArguments } from "./mission-plan.ts";
import { missionEvent } from "./move-missions.ts";
import { holdReferences } from "./hold-references.ts";
import { robotRequirements } from "./robot-requirements.ts";

const shape = z
  .object({
    ...missionPlan,
    robotId: uuid.nullish(),
    ...robotRequirements,
    estimatedDurationSeconds: wholeNumber(LIMITS.durationSeconds).nullish(),
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
 * allows. Otherwise it waits with status `pending`. Where policies ask, it first waits for people.
 *
 * @returns the mission; for a repeated Idempotency-Key, the mission that it created.
 * @throws {DomainError} insufficient_scope without `missions:write`; validation_failed; policy_denied;
 *   emergency_stop if people are to be asked about a stopped robot; rate_limited if they have too many questions to
 *   answer; idempotency errors.
 */
export async function createMission(ctx: Ctx, input: z.input<typeof shape>): Promise<Mission> {
  requireScope(ctx, "missions:write");
  const fields = parseInput(shape, input);
  const id = uuidv7();
  return withOrderLog(ctx, (note) =>
    ctx.transaction(async (tx) => {
      const made = await claimIdempotencyKey(tx, id);
      return made === null ? create(tx, { ...fields, id }, note) : findMission(tx, made);
    }),
  );
}

async function create(
  tx: Transaction,
  fields: NewMission & { id: string },
  note: NoteDecisions,
): Promise<Mission> {
  const { id, deadlineAt = null } = fields;
  const { generation, now, contextId } = await holdReferences(tx, fields);
  const decided = { ...fields, args: toPlanArguments(fields) };
  const { question, ...decision } = await decideMission(tx, decided, { generation, note });
  const mission = await insert(tx, { ...fields, ...decision, contextId, now });
  const created = {
    events: [missionEvent("mission.created", mission)],
    totals: [{ collection: "missions" as const, to: mission.status }],
    audit: tx.ctx.actor.type === "agent" ? [] : [buildAudit(mission)],
  };
  if (question === null) {
    const { missions, appended } = await assignMissions(tx, id);
    append(tx, mergeAppends(created, appended));
    return missions[0] ?? mission;
  }
  const waiting = new Map([[question.agentId, { missionId: id, expiresAt: deadlineAt }]]);
  append(tx, mergeAppends(created, await askAboutOrder(tx, [question], waiting)));
  return mission;
}

type NewRow = NewMission & Omit<MissionDecision, "question"> & { id: string; contextId: string; now: Date };

async function insert(
  tx: Transaction,
  { steps, robotId, selector, now, ...fields }: NewRow,
): Promise<Mission> {
  const { db, ctx } = tx;
  const mission = await db.mission.create({
    data: {
      ...fields,
      workspaceId: ctx.workspaceId,
      ...(fields.approvalId !== null && { status: "awaiting_approval" }),
      minBatteryPercent: fields.minBatteryPercent ?? null,
      estimatedDurationSeconds: fields.estimatedDurationSeconds ?? null,
      deadlineAt: fields.deadlineAt ?? null,
      taskId: fields.taskId ?? null,
      requestedRobotId: robotId ?? null,
      ...(selector !== null && { selector }),
      traceId: parseTraceId(ctx.traceparent),
      createdBy: createActorRecord(ctx.actor),
      createdAt: now,
      updatedAt: now,
    },
  });
  await insertSteps(tx, fields.id, steps);
  return mission;
}

function buildAudit({ id, kind, priority, requestedRobotId }: Mission): AuditInput {
  return {
    action: "mission.created",
    targetType: "mission",
    targetId: id,
    changes: { kind, priority, robot_id: requestedRobotId },
  };
}

async function findMission({ db, ctx }: Transaction, id: string): Promise<Mission> {
  return db.mission.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } } });
}

import { z } from "zod";
import { cancelApprovalOfOrder, lockApprovalOfOrder } from "../approvals/cancel-approval-of-order.ts";
import type { Ctx } from "../kernel/context.ts";
import { append } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { mergeAppends } from "../kernel/merge-appends.ts";
import { type LockedMission, lockMission, requireMissionGeneration } from "./lock-mission.ts";
import { endMission } from "./mission-moves.ts";
import { MISSION_MOVES, requireStatus } from "./mission-states.ts";
import { moveMissions } from "./move-missions.ts";
import { type Steered, type SteeredMission, type Steering, steerMission, steering } from "./steer-mission.ts";

const shape = steering.extend({ force: z.boolean().nullish() });

/**
 * Cancels a mission: immediately if its robot has not started it, with the question to people that it waits for;
 * otherwise the robot is sent a command and has 60 seconds to confirm. `force` cancels immediately in any case; the
 * robot is still sent the command. Repeating the call changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `missions:write`; not_found; validation_failed;
 *   invalid_state if the mission finished otherwise; precondition_failed.
 */
export async function cancelMission(ctx: Ctx, input: z.input<typeof shape>): Promise<SteeredMission> {
  requireScope(ctx, "missions:write");
  const { force, ...call } = parseInput(shape, input);
  const changes = { reason: call.reason ?? null, force: force === true };
  const waiting = await cancelWaiting(ctx, call, changes);
  if (waiting !== null) return waiting;
  return steerMission(ctx, call, {
    type: "mission.cancel",
    decide: (locked) => decide(locked, changes),
  });
}

type Changes = { reason: string | null; force: boolean };

/** Cancels a mission that waits for people. Its approval is locked before it. @returns null if it waits for none. */
async function cancelWaiting(ctx: Ctx, call: Steering, changes: Changes): Promise<SteeredMission | null> {
  const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: call.id } };
  const read = await ctx.db.mission.findUnique({ where, select: { status: true, approvalId: true } });
  if (read?.status !== "awaiting_approval") return null;
  return ctx.transaction(async (tx) => {
    const approval = await lockApprovalOfOrder(tx, read);
    const { mission, now } = await lockMission(tx, call.id);
    if (mission.status !== "awaiting_approval") return null;
    requireMissionGeneration(mission, call.ifGeneration);
    const audit = { action: "mission.canceled", changes };
    const moved = await moveMissions(tx, now, [{ ...endMission(mission, "cancel", { now }), audit }]);
    append(tx, mergeAppends(moved.appended, await cancelApprovalOfOrder(tx, approval)));
    return { mission: moved.missions[0] ?? mission, command: null };
  });
}

function decide({ mission, now }: LockedMission, changes: Changes): Steered | null {
  const { status, cancelRequestedAt } = mission;
  if (status === "canceled") return null;
  requireStatus(status, MISSION_MOVES.cancel.from);
  const audit = { action: "mission.canceled", changes };
  if (status === "pending" || status === "assigned") {
    return { move: { ...endMission(mission, "cancel", { now }), audit }, instruction: "recall" };
  }
  const instruction = cancelRequestedAt === null ? ({ type: "mission.cancel" } as const) : null;
  if (changes.force) return { move: { ...endMission(mission, "cancel", { now }), audit }, instruction };
  if (cancelRequestedAt !== null) return null;
  return {
    move: {
      mission,
      change: { cancelRequestedAt: now },
      event: "mission.updated",
      eventData: { cancel_requested: true },
      audit: { action: "mission.cancel_requested", changes },
    },
    instruction,
  };
}

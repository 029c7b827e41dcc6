import type { z } from "zod";
import type { MissionStep } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import { createFieldError } from "../kernel/errors.ts";
import { handle, parseInput } from "../kernel/input.ts";
import { endMission } from "./mission-moves.ts";
import { UNDER_WAY, requireStatus, getStatusAfter } from "./mission-states.ts";
import type { MissionMove } from "./move-missions.ts";
import type { LockedMission } from "./lock-mission.ts";
import { type Steered, type SteeredMission, steerMission, steering } from "./steer-mission.ts";
import { OPEN_STEPS, isDone, getProgress, requireStepStatus } from "./step-states.ts";

const shape = steering.extend({ stepKey: handle });

/**
 * Retries a retriable step: the step waits, and the robot is sent a command. If the robot rejects it, the
 * step returns to its earlier state. Repeating the call changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `missions:write`; not_found; validation_failed, also for
 *   an unknown step; invalid_state if the mission is not running or paused, or the step is not `retriable`;
 *   precondition_failed; policy_denied and approval_required.
 */
export async function retryMissionStep(ctx: Ctx, input: z.input<typeof shape>): Promise<SteeredMission> {
  return steerStep(ctx, input, {
    type: "mission.retry_step",
    action: "mission.step_retried",
    allowed: ["retriable"],
    done: "waiting",
    change: () => ({ status: "waiting", error: null, startedAt: null }),
  });
}

/**
 * Skips a step that is not finished: the robot is sent a command to continue with the next one. Skipping
 * the last open step completes the mission; otherwise, if the robot rejects the command, the step returns
 * to its earlier state. Repeating the call changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `missions:write`; not_found; validation_failed, also for
 *   an unknown step; invalid_state if the mission is not running or paused, or the step has finished;
 *   precondition_failed; policy_denied and approval_required.
 */
export async function skipMissionStep(ctx: Ctx, input: z.input<typeof shape>): Promise<SteeredMission> {
  return steerStep(ctx, input, {
    type: "mission.skip_step",
    action: "mission.step_skipped",
    allowed: OPEN_STEPS,
    done: "skipped",
    change: (now) => ({ status: "skipped", finishedAt: now }),
  });
}

type StepAct = {
  type: "mission.retry_step" | "mission.skip_step";
  action: string;
  allowed: readonly MissionStep["status"][];
  /** The status in which there is nothing to do. */
  done: MissionStep["status"];
  change: (now: Date) => Partial<MissionStep>;
};

async function steerStep(ctx: Ctx, input: z.input<typeof shape>, act: StepAct): Promise<SteeredMission> {
  const { stepKey, ...call } = parseInput(shape, input);
  const changes = { step_key: stepKey, reason: call.reason ?? null };
  return steerMission(ctx, call, {
    type: act.type,
    stepKey,
    reject: (locked) => requireSteerable(locked, act, stepKey),
    decide: (locked) => decide(locked, { act, stepKey, audit: { action: act.action, changes } }),
  });
}

function requireSteerable(
  { mission, steps }: LockedMission,
  { allowed }: Pick<StepAct, "allowed">,
  stepKey: string,
): void {
  requireStatus(mission.status, UNDER_WAY);
  for (const step of steps) if (step.key === stepKey) requireStepStatus(step, allowed);
}

function decide(
  locked: LockedMission,
  { act, stepKey, audit }: { act: StepAct; stepKey: string; audit: NonNullable<MissionMove["audit"]> },
): Steered | null {
  const { mission, steps, now } = locked;
  const step = steps.find(({ key }) => key === stepKey);
  if (step === undefined) throw createFieldError("stepKey", "is not a step of the mission");
  if (step.status === act.done) return null;
  requireSteerable(locked, act, stepKey);
  const { status, error, startedAt } = step;
  const beforeSteering = { status, error, startedAt: startedAt?.toISOString() ?? null };
  const changed = { ...step, ...act.change(now), beforeSteering };
  const after = steps.map((one) => (one.seq === step.seq ? changed : one));
  return {
    move: { ...toMove({ mission, steps: after, now }), audit },
    steps: [changed],
    instruction: { type: act.type, params: { step_key: stepKey } },
  };
}

function toMove({ mission, steps, now }: LockedMission): MissionMove {
  const progress = getProgress(steps);
  const change = { progress, idleReports: 0 };
  if (!steps.every(isDone)) return { mission, change, event: "mission.updated" };
  const status = mission.status === "paused" ? getStatusAfter(mission.status, "resume") : mission.status;
  const end = endMission({ ...mission, status }, "complete", { now });
  return { ...end, mission, change: { ...change, ...end.change } };
}

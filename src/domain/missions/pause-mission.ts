import type { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { parseInput } from "../kernel/input.ts";
import { getStatusAfter } from "./mission-states.ts";
import { type SteeredMission, steerMission, steering } from "./steer-mission.ts";

/**
 * Pauses a running mission immediately and sends its robot a command. Repeating the call changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `missions:write`; not_found; validation_failed;
 *   invalid_state if the mission is not running; precondition_failed.
 */
export async function pauseMission(ctx: Ctx, input: z.input<typeof steering>): Promise<SteeredMission> {
  return setPaused(ctx, input, { act: "pause", type: "mission.pause" });
}

/**
 * Resumes a paused mission immediately and sends its robot a command. Repeating the call changes nothing.
 *
 * @throws {DomainError} insufficient_scope without `missions:write`; not_found; validation_failed;
 *   invalid_state if the mission is not paused; precondition_failed; policy_denied and approval_required.
 */
export async function resumeMission(ctx: Ctx, input: z.input<typeof steering>): Promise<SteeredMission> {
  return setPaused(ctx, input, { act: "resume", type: "mission.resume" });
}

async function setPaused(
  ctx: Ctx,
  input: z.input<typeof steering>,
  { act, type }: { act: "pause" | "resume"; type: "mission.pause" | "mission.resume" },
): Promise<SteeredMission> {
  const call = parseInput(steering, input);
  const done = act === "pause" ? "paused" : "running";
  return steerMission(ctx, call, {
    type,
    decide: ({ mission }) => {
      if (mission.status === done) return null;
      const change = { status: getStatusAfter(mission.status, act), idleReports: 0 };
      const audit = {
        action: `mission.${done === "paused" ? "paused" : "resumed"}`,
        changes: { reason: call.reason ?? null },
      };
      return { move: { mission, change, event: "mission.updated", audit }, instruction: { type } };
    },
  });
}

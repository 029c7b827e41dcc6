import type { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireAgent, requireScope } from "../kernel/guard.ts";
import { parseInput } from "../kernel/input.ts";
import { robotReport } from "./robot-report.ts";
import { type ReportAnswer, takeReport } from "./take-report.ts";

/**
 * Records a robot's report of its own state. {@link takeReport} says when it is written.
 *
 * @throws {DomainError} insufficient_scope without `robots:report`; forbidden unless the caller is an
 *   agent; not_a_robot for another kind of agent; validation_failed.
 */
export async function reportRobotState(ctx: Ctx, input: z.input<typeof robotReport>): Promise<ReportAnswer> {
  requireScope(ctx, "robots:report");
  const { id } = requireAgent(ctx);
  return takeReport(ctx, id, parseInput(robotReport, input));
}

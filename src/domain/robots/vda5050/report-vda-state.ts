import { z } from "zod";
import type { Ctx } from "../../kernel/context.ts";
import { requireAgent, requireScope } from "../../kernel/guard.ts";
import { createValidationError } from "../../kernel/field-errors.ts";
import type { RobotReport } from "../robot-report.ts";
import { type ReportAnswer, takeReport } from "../take-report.ts";
import { mapVdaState2, mapVdaState3 } from "./map-vda-state.ts";
import { vdaState2, vdaState3 } from "./vda-state.ts";

/**
 * Records a robot's report as a raw state message of VDA 5050, version 2 or 3. Fields without an equivalent
 * are ignored.
 *
 * @throws {DomainError} insufficient_scope without `robots:report`; forbidden unless the caller is an
 *   agent; not_a_robot for another kind of agent; validation_failed with the JSONPath of the problem, such as
 *   `$.safetyState.fieldViolation`.
 * @see https://github.com/VDA5050/VDA5050
 */
export async function reportVdaState(ctx: Ctx, message: unknown): Promise<ReportAnswer> {
  requireScope(ctx, "robots:report");
  const { id } = requireAgent(ctx);
  return takeReport(ctx, id, parseReport(message));
}

function parseReport(message: unknown): RobotReport {
  const { version } = parse(versionShape, message);
  return version.startsWith("2.")
    ? mapVdaState2(parse(vdaState2, message))
    : mapVdaState3(parse(vdaState3, message));
}

const versionShape = z.object(
  { version: z.string("must be a string").regex(/^[23]\./, "must be a version 2 or 3, such as 3.0.0") },
  "must be an object",
);

function parse<Shape extends z.ZodType>(shape: Shape, message: unknown): z.output<Shape> {
  const parsed = shape.safeParse(message);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue) => ({
    field: toJsonPath(issue.path),
    detail: issue.message,
  }));
  throw createValidationError(errors);
}

/** @see https://www.rfc-editor.org/rfc/rfc9535 */
function toJsonPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => text + (typeof key === "number" ? `[${key}]` : `.${String(key)}`),
    "$",
  );
}

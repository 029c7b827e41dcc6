import { z } from "zod";
import { MissionStepStatus } from "../../db/generated/enums.ts";
import { handle, jsonProblem, uuid } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

const json = z.unknown().superRefine((value, context) => {
  const problem = jsonProblem(value, LIMITS.metadataBytes);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

const reportedStep = z.object({
  key: handle,
  status: z.enum(MissionStepStatus),
  result: json.optional(),
  error: json.optional(),
});

export const missionReport = z
  .object({
    id: uuid,
    steps: z
      .array(reportedStep)
      .max(LIMITS.missionSteps.max, `must have at most ${LIMITS.missionSteps.max} entries`)
      .refine(
        (steps) => new Set(steps.map(({ key }) => key)).size === steps.length,
        "must have distinct keys",
      )
      .default([]),
    status: z.enum(["running", "paused", "completed", "failed", "canceled"]).nullish(),
    ifGeneration: z.array(z.int()).nullish(),
  })
  .refine(({ steps, status }) => steps.length > 0 || Boolean(status), {
    path: ["steps"],
    message: "must have an entry if there is no status",
  });

/** A robot's report on its mission. */
export type MissionReport = Omit<z.output<typeof missionReport>, "id" | "ifGeneration">;

/** A robot's report on one step. */
export type ReportedStep = z.output<typeof reportedStep>;

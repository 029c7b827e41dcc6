import { z } from "zod";
import type { MissionStep, Prisma } from "../../db/generated/client.ts";
import { MissionKind, MissionStepType } from "../../db/generated/enums.ts";
import type { Transaction } from "../kernel/context.ts";
import { handle, jsonObject, jsonProblem, parseInput, text, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";

const { min: fewest, max: most } = LIMITS.missionSteps;

const newStep = z.strictObject({
  key: handle,
  type: z.enum(MissionStepType),
  params: jsonObject(LIMITS.missionStepsBytes).default({}),
});

/** A new mission's steps. */
export type NewStep = z.output<typeof newStep>;

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

/** What a robot is to do: the part of a mission that its start command tells it. */
export const missionPlan = {
  title: text(LIMITS.titleLength),
  kind: z.enum(MissionKind),
  steps,
  priority: wholeNumber(LIMITS.priority).default(LIMITS.priority.default),
  deadlineAt: z.date().nullish(),
};

/** What a robot is to do, parsed. */
type MissionPlan = Omit<z.output<z.ZodObject<typeof missionPlan>>, "deadlineAt"> & {
  deadlineAt: Date | null;
};

/** A plan as JSON: what its robot is sent, and the arguments that policies and people decide about. */
export function toPlanArguments({ title, kind, priority, deadlineAt, steps: planned }: ShownPlan): object {
  return {
    title,
    kind,
    priority,
    deadline_at: deadlineAt?.toISOString() ?? null,
    steps: planned.map(({ key, type, params }) => ({ key, type, params })),
  };
}

type ShownPlan = Pick<MissionPlan, "title" | "kind" | "priority"> & {
  deadlineAt?: Date | null | undefined;
  steps: readonly Pick<MissionStep | NewStep, "key" | "type" | "params">[];
};

/**
 * Parses the arguments that an approver puts in the place of a mission's.
 *
 * @throws {DomainError} validation_failed, as for a new mission.
 */
export function parsePlanArguments(args: unknown): MissionPlan {
  const { arguments: parsed } = parseInput(planArguments, { arguments: args });
  const { deadline_at: deadlineAt, ...plan } = parsed;
  return { ...plan, deadlineAt: deadlineAt ? new Date(deadlineAt) : null };
}

const { deadlineAt: _date, ...withoutDeadline } = missionPlan;

const deadline = z.iso
  .datetime({ offset: true, error: "must be an RFC 3339 date and time with a time zone" })
  .refine((written) => {
    const year = new Date(written).getUTCFullYear();
    return year >= 1 && year <= 9999;
  }, "must be between the years 1 and 9999");

const planArguments = z.object({
  arguments: z.strictObject({ ...withoutDeadline, deadline_at: deadline.nullish() }),
});

/** Stores a mission's steps. */
export async function insertSteps(
  { db, ctx }: Transaction,
  missionId: string,
  planned: readonly NewStep[],
): Promise<void> {
  const { workspaceId } = ctx;
  await db.missionStep.createMany({
    data: planned.map(({ key, type, params }, index) => ({
      workspaceId,
      missionId,
      seq: index + 1,
      key,
      type,
      // JSON that was parsed.
      params: params as Prisma.InputJsonObject,
    })),
  });
}

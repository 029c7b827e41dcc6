import { z } from "zod";
import { EvalResultStatus } from "../../db/generated/enums.ts";
import { jsonProblem, text, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { numberInRange } from "./eval-gate.ts";

/** The kinds of annotator that can give a score. */
export const ANNOTATOR_KINDS = ["LLM", "CODE", "HUMAN"] as const;

const score = z.object({
  name: text(LIMITS.labelLength),
  value: numberInRange(LIMITS.scoreValue),
  label: text(LIMITS.labelLength).nullish(),
  explanation: text(LIMITS.textLength).nullish(),
  annotatorKind: z.enum(ANNOTATOR_KINDS).nullish(),
});

/** JSON of a result: what was given, answered or expected. */
export const resultJson = z.unknown().superRefine((value, context) => {
  const problem = jsonProblem(value, LIMITS.outputBytes);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

const result = z.object({
  itemKey: text(LIMITS.itemKeyLength),
  status: z.enum(EvalResultStatus),
  input: resultJson.optional(),
  expected: resultJson.optional(),
  output: resultJson.optional(),
  scores: z
    .array(score)
    .max(LIMITS.scores, `must have at most ${LIMITS.scores} scores`)
    .refine((all) => new Set(all.map((one) => one.name)).size === all.length, "must have distinct names")
    .default([]),
  latencyMs: wholeNumber({ min: 0, max: 2_147_483_647 }).nullish(),
  costUsd: numberInRange(LIMITS.resultCostUsd).nullish(),
  traceId: z
    .string()
    .regex(/^(?!0{32})[0-9a-f]{32}$/, "must be 32 lower-case hex digits, not all 0")
    .nullish(),
  error: text(LIMITS.textLength).nullish(),
});

/** One reported result. */
export type EvalResultInput = z.output<typeof result>;

const { min, max } = LIMITS.evalBatch;

/** A batch of results, one per item. */
export const evalResultBatch = z
  .array(result)
  .min(min, `must have ${min} to ${max} results`)
  .max(max, `must have ${min} to ${max} results`)
  .superRefine((results, context) => {
    const places = new Map<string, number>();
    for (const [index, { itemKey }] of results.entries()) {
      const first = places.get(itemKey);
      if (first === undefined) places.set(itemKey, index);
      else {
        const message = `has the same item_key as results.${first}: a batch can have one result per item`;
        context.addIssue({ code: "custom", path: [index], message });
      }
    }
  });

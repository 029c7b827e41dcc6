import { z } from "zod";
import { jsonProblem } from "../kernel/input.ts";
import { CAPABILITY_TYPE, LIMITS } from "../kernel/limits.ts";

const capability = z.strictObject({
  type: z
    .string()
    .max(LIMITS.nameLength, `must have at most ${LIMITS.nameLength} characters`)
    .regex(CAPABILITY_TYPE, "must be words of a-z, 0-9 and _, joined by dots, such as custom.open_gripper"),
  params_schema: z
    .union([z.boolean(), z.record(z.string(), z.unknown())], { error: "must be a JSON Schema" })
    .optional(),
});

/**
 * The commands that an agent supports, with schemas of their params. Stored and returned unchanged by all
 * APIs.
 *
 * @see https://json-schema.org/draft/2020-12
 */
export const capabilities = z
  .array(capability)
  .max(LIMITS.capabilities, `must have at most ${LIMITS.capabilities} entries`)
  .superRefine((value, context) => {
    const problem = jsonProblem(value, LIMITS.capabilitiesBytes);
    if (problem !== null) context.addIssue({ code: "custom", message: problem });
    if (new Set(value.map(({ type }) => type)).size === value.length) return;
    context.addIssue({ code: "custom", message: "must not repeat a type" });
  });

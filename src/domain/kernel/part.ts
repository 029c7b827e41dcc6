import { z } from "zod";
import { jsonProblem, text } from "./input.ts";
import { LIMITS } from "./limits.ts";

/**
 * One piece of content: exactly one of `text`, `data` (any JSON), `url` and `raw` (base64), with its
 * description. Stored and returned unchanged by all APIs.
 *
 * @see https://a2a-protocol.org/latest/specification/ (Part)
 */
export const part = z
  .strictObject({
    text: z.string().optional(),
    data: z.unknown().optional(),
    url: z.url({ protocol: /^https?$/, error: "must be an http or https URL" }).optional(),
    raw: z.base64("must be base64").optional(),
    media_type: text(LIMITS.nameLength).optional(),
    filename: text(LIMITS.titleLength).optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  })
  .refine(
    (value) => ["text", "data", "url", "raw"].filter((key) => Object.hasOwn(value, key)).length === 1,
    "must have exactly one of text, data, url and raw",
  );

export type Part = z.output<typeof part>;

/** The parts of a message or a task. */
export function parts(least: number) {
  return z
    .array(part)
    .min(least, `must have at least ${least} part`)
    .max(LIMITS.parts, `must have at most ${LIMITS.parts} parts`)
    .superRefine((value, context) => {
      const problem = jsonProblem(value, LIMITS.partsBytes);
      if (problem !== null) context.addIssue({ code: "custom", message: problem });
    });
}

import { z } from "@hono/zod-openapi";
import { DomainError, createFieldError } from "../../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { parseStrictJson } from "../../../src/domain/kernel/strict-json.ts";

const entityType = z.string().openapi({ pattern: "^[A-Za-z][A-Za-z0-9_]{0,63}$", example: "tool" });
const entityId = z.string().min(1).max(LIMITS.entityName);
const properties = z.record(z.string(), z.unknown()).optional();

/** A request to the gateway. */
export const accessRequest = z
  .strictObject({
    subject: z.strictObject({ type: entityType, id: entityId, properties }).optional().openapi({
      description: "Who would act. Default: the caller. Others need `gateway:delegate`.",
    }),
    action: z.strictObject({ name: entityId, properties }).openapi({
      description: "Such as `tools/call`, with the arguments in `properties.arguments`.",
    }),
    resource: z.strictObject({ type: entityType, id: entityId, properties }).openapi({
      description: "Such as the tool `stripe.refund`.",
    }),
    context: z.record(z.string(), z.unknown()).optional().openapi({
      description: "What else is known. `task_id` joins the decision to a task of this workspace.",
    }),
  })
  .openapi("AccessRequest", {
    description:
      "As in AuthZEN 1.0. No member may be given twice; whole numbers beyond 2^53 - 1 and numbers of more than 17 digits are rejected. At most 256 KiB, 64 levels, and 10,000 list elements, object members, lists and objects.",
  });

/**
 * Returns the text of the body's request. Whatever its text could mean besides what was parsed is rejected here,
 * since that is lost in the new text.
 *
 * @param others how many values the body may have besides itself and the request.
 */
export function readRequestText(body: string, others: number): string {
  // Validated by the route.
  const { request: asked } = requireStrictJson(body, others) as { request: unknown };
  return JSON.stringify(asked);
}

/**
 * Requires that a body with a request, or a part of one, means the same to every reader.
 *
 * @param others how many values the body may have besides itself and the request.
 * @returns the body.
 * @throws {DomainError} invalid_body; validation_failed.
 */
export function requireStrictJson(body: string, others: number): unknown {
  const parsed = parseStrictJson(body, {
    maxDepth: LIMITS.requestDepth + 1,
    maxValues: LIMITS.requestValues + 1 + others,
  });
  if (parsed === null) throw new DomainError("invalid_body", "The body is not valid JSON.");
  if ("problem" in parsed) throw createFieldError(parsed.problem.path, parsed.problem.message);
  return parsed.value;
}

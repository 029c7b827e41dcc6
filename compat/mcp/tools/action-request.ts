import { z } from "zod";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { text, uuid } from "./shapes.ts";

const name = text(LIMITS.entityName);

/** What a model wants to do. */
export const actionRequest = {
  action: name.default("tools/call").describe("Default: tools/call."),
  resource: z
    .strictObject({ type: name.describe("Such as tool."), id: name.describe("Such as stripe.refund.") })
    .describe("What it is done to."),
  arguments: z.unknown().optional().describe("The arguments, as they would be executed."),
  task_id: uuid.optional().describe("The task that it is done for."),
};

const shape = z.object(actionRequest);

/**
 * Writes the request as the gateway reads it. The same arguments give the same text.
 *
 * @param approvalId the approval to use.
 */
export function toRequestText(
  { action, resource, arguments: given, task_id: taskId }: z.output<typeof shape>,
  approvalId?: string,
): string {
  return JSON.stringify({
    action: { name: action, ...(given !== undefined && { properties: { arguments: given } }) },
    resource,
    context: { task_id: taskId, ...(approvalId !== undefined && { approval: { id: approvalId } }) },
  });
}

import { z } from "zod";
import { isObject } from "../../../src/domain/kernel/is-object.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { STORABLE_TEXT } from "../../../src/domain/kernel/storable-text.ts";
import { part } from "../shapes/part-shape.ts";
import { historyLength, optionalBoolean, optionalContextId, optionalText } from "./read-input.ts";

const metadata = z
  .custom<Record<string, unknown>>(isObject, "must be an object")
  .nullish()
  .transform((value) => value ?? {});

/** The request message of SendMessage and SendStreamingMessage. */
export const sendMessageInput = z.object({
  message: z.object({
    messageId: z
      .string()
      .min(1)
      .max(LIMITS.idempotencyKeyLength)
      .refine(...STORABLE_TEXT),
    contextId: optionalContextId,
    taskId: optionalText,
    role: z.literal("ROLE_USER"),
    parts: z.array(part).min(1).max(LIMITS.parts),
    metadata,
    referenceTaskIds: z
      .array(z.guid("is not a task of this workspace"))
      .max(LIMITS.referenceTasks)
      .nullish()
      .transform((ids) => ids ?? []),
  }),
  configuration: z
    .object({
      historyLength,
      returnImmediately: optionalBoolean,
      taskPushNotificationConfig: z.unknown().optional(),
    })
    .nullish(),
  metadata,
});

export type SendMessageInput = z.output<typeof sendMessageInput>;

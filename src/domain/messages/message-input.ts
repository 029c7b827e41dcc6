import { z } from "zod";
import { MessageKind } from "../../db/generated/enums.ts";
import { jsonObject, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { parts } from "../kernel/part.ts";
import { leaseToken } from "../tasks/lease.ts";

/** What a message may be. */
export const messageInput = z
  .object({
    id: uuid.nullish(),
    contextId: uuid.nullish(),
    taskId: uuid.nullish(),
    missionId: uuid.nullish(),
    recipientAgentId: uuid.nullish(),
    kind: z.enum(MessageKind).default("text"),
    parts: parts(1),
    replyToId: uuid.nullish(),
    expectsReply: z.boolean().default(false),
    referenceTaskIds: z
      .array(uuid)
      .max(LIMITS.referenceTasks, `must have at most ${LIMITS.referenceTasks} ids`)
      .default([]),
    metadata: jsonObject(LIMITS.metadataBytes).default({}),
    /** With a question about a task: of who holds it, and waits for the answer. */
    leaseToken: leaseToken.nullish(),
    /** How long the task waits, before it fails. */
    inputTimeoutSeconds: wholeNumber(LIMITS.inputTimeoutSeconds).nullish(),
  })
  .superRefine(({ kind, taskId, leaseToken: token, inputTimeoutSeconds: seconds }, context) => {
    if (kind === "question" && taskId) return;
    for (const [field, value] of Object.entries({ leaseToken: token, inputTimeoutSeconds: seconds })) {
      const message = "is only for a question about a task";
      if (value !== null && value !== undefined) context.addIssue({ code: "custom", path: [field], message });
    }
  });

/** A message as it is asked for, held to its shape. */
export type MessageInput = z.output<typeof messageInput>;

/** A message as a caller may ask for it. */
export type MessageRequest = z.input<typeof messageInput>;

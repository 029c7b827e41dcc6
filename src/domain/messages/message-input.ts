import { z } from "zod";
import { MessageKind } from "../../db/generated/enums.ts";
import { jsonObject, uuid, wholeNumber } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { parts } from "../kernel/part.ts";
import { leaseToken } from "../tasks/lease.ts";

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
    /** For a question about a task, from its holder: the task then waits for the answer. */
    leaseToken: leaseToken.nullish(),
    /** How long the task waits before it fails. */
    inputTimeoutSeconds: wholeNumber(LIMITS.inputTimeoutSeconds).nullish(),
  })
  .superRefine(({ kind, taskId, leaseToken: token, inputTimeoutSeconds: seconds }, context) => {
    if (kind === "question" && taskId) return;
    for (const [field, value] of Object.entries({ leaseToken: token, inputTimeoutSeconds: seconds })) {
      const message = "is only allowed for a question about a task";
      if (value !== null && value !== undefined) context.addIssue({ code: "custom", path: [field], message });
    }
  });

/** A parsed request for a message. */
export type MessageInput = z.output<typeof messageInput>;

/** A request for a message. */
export type MessageRequest = z.input<typeof messageInput>;

import { z } from "zod";
import { AnswerBy, MessageKind } from "../../db/generated/enums.ts";
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
    /** Who may answer a question. */
    answerBy: z.enum(AnswerBy).default("anyone"),
    /** Returns the sender's same question if it still waits, instead of asking it a second time. */
    reusesWaiting: z.boolean().default(false),
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
  .superRefine((asked, context) => {
    const { kind, taskId, leaseToken: token, inputTimeoutSeconds: seconds, answerBy, reusesWaiting } = asked;
    function requireFor(isFit: boolean, what: string, named: Record<string, boolean>): void {
      for (const [field, isGiven] of Object.entries(isFit ? {} : named)) {
        if (isGiven)
          context.addIssue({ code: "custom", path: [field], message: `is only allowed for ${what}` });
      }
    }
    const isQuestion = kind === "question";
    requireFor(isQuestion && Boolean(taskId), "a question about a task", {
      leaseToken: token !== null && token !== undefined,
      inputTimeoutSeconds: seconds !== null && seconds !== undefined,
    });
    requireFor(isQuestion, "a question", { answerBy: answerBy !== "anyone", reusesWaiting });
  });

/** A parsed request for a message. */
export type MessageInput = z.output<typeof messageInput>;

/** A request for a message. */
export type MessageRequest = z.input<typeof messageInput>;

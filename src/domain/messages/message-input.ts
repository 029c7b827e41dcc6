import { z } from "zod";
import { MessageKind } from "../../db/generated/enums.ts";
import { jsonObject, uuid } from "../input.ts";
import { LIMITS } from "../limits.ts";
import { parts } from "../part.ts";

/** What a message may be. */
export const messageInput = z.object({
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
});

/** A message as it is asked for, held to its shape. */
export type MessageInput = z.output<typeof messageInput>;

/** A message as a caller may ask for it. */
export type MessageRequest = z.input<typeof messageInput>;

import { createActorRecord } from "../../../src/domain/kernel/actor.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { requireScope } from "../../../src/domain/kernel/guard.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { A2aError } from "../a2a-error.ts";
import { META, STATES, isTerminal } from "../protocol.ts";
import { toObject } from "../shapes/message-shape.ts";
import type { SendMessageInput } from "./message-input.ts";
import { readTaskId } from "./read-input.ts";
import { readHistory, readTaskStatus } from "./task-reads.ts";

const SendMessage = graphql(`
  mutation SendPeerMessage($input: SendMessageInput!) {
    sendMessage(input: $input) {
      created
    }
  }
`);

/**
 * Adds a message to a task: as the answer, if the task waits for one.
 *
 * @returns the id of the task.
 */
export async function continueTask(
  ctx: Ctx,
  taskId: string,
  { message, metadata }: SendMessageInput,
): Promise<string> {
  // The question that it may answer is read.
  requireScope(ctx, "messages:read");
  const id = readTaskId(taskId);
  const task = await readTaskStatus(ctx, id);
  if (isTerminal(task)) {
    // Who repeats a message, because its answer was lost, gets the task.
    if (await wasSent(ctx, id, message.messageId)) return id;
    throw createUnsupportedError(
      `The task has ended: ${STATES[task.status]}. Send the message without taskId.`,
    );
  }
  const question = task.question ?? null;
  const input = {
    taskId: toGlobalId("Task", id),
    ...(question !== null && { kind: "ANSWER" as const, replyToId: toGlobalId("Message", question.id) }),
    ...(message.contextId !== undefined && { contextId: message.contextId }),
    parts: message.parts,
    referenceTaskIds: message.referenceTaskIds.map((one) => toGlobalId("Task", one.toLowerCase())),
    metadata: { ...message.metadata, ...metadata, [META.messageId]: message.messageId },
  };
  try {
    await execute(ctx, SendMessage, { input });
  } catch (error) {
    if (error instanceof DomainError && error.code === "invalid_state")
      throw createUnsupportedError(error.message);
    throw error;
  }
  return id;
}

async function wasSent(ctx: Ctx, id: string, messageId: string): Promise<boolean> {
  const { id: senderId } = createActorRecord(ctx.actor);
  const messages = await readHistory(ctx, id);
  return messages.some(
    ({ sender, metadata }) => sender.uuid === senderId && toObject(metadata)[META.messageId] === messageId,
  );
}

function createUnsupportedError(message: string): A2aError {
  return new A2aError("UNSUPPORTED_OPERATION", message);
}

import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createParamsError } from "../a2a-error.ts";
import { META } from "../protocol.ts";
import { omitAbsent } from "../shapes/part-shape.ts";
import type { SendMessageInput } from "./message-input.ts";

const CreateTask = graphql(`
  mutation CreatePeerTask($input: CreateTaskInput!) {
    made: createTask(input: $input) {
      task {
        uuid
      }
    }
  }
`);

/**
 * Puts a message into the queue that its metadata names, as a task. The request's metadata wins over the message's.
 *
 * @returns the id of the task.
 */
export async function createTask(ctx: Ctx, { message, metadata }: SendMessageInput): Promise<string> {
  const { [META.queue]: queue = "default", ...rest } = { ...message.metadata, ...metadata };
  if (typeof queue !== "string") {
    throw createParamsError([{ field: `metadata.${META.queue}`, detail: "must be a string" }]);
  }
  const { referenceTaskIds } = message;
  const { made } = await execute(ctx, CreateTask, {
    input: {
      title: createTitle(message),
      queue,
      input: message.parts,
      ...(message.contextId !== undefined && { contextId: message.contextId }),
      metadata: {
        ...rest,
        [META.messageId]: message.messageId,
        ...omitAbsent({ [META.referenceTaskIds]: referenceTaskIds.length > 0 ? referenceTaskIds : null }),
      },
    },
  });
  return made.task.uuid;
}

/** The first line with a letter or a digit, for people. */
function createTitle({ parts }: SendMessageInput["message"]): string {
  for (const { text } of parts) {
    const line = typeof text === "string" ? findLine(text) : null;
    if (line !== null) return line;
  }
  return "A message without text";
}

/** Longer beginnings are not looked at. */
const LOOKED_AT = 2000;

function findLine(text: string): string | null {
  const lines = cutText(text, LOOKED_AT).split(/[\r\n]+/);
  const line = lines.map((one) => one.trim()).find((one) => /[\p{L}\p{N}]/u.test(one));
  if (line === undefined) return null;
  return line.length <= LIMITS.titleLength ? line : `${cutText(line, LIMITS.titleLength - 1)}…`;
}

/** Never cuts a character in two. */
function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}

import { z } from "zod";
import { createFieldError } from "../../../src/domain/kernel/errors.ts";
import { LIMITS } from "../../../src/domain/kernel/limits.ts";
import { execute } from "../../../src/schema/execute.ts";
import { toGlobalId } from "../../../src/schema/global-id.ts";
import { graphql } from "../../../src/schema/graphql.ts";
import { createTool } from "../tool.ts";
import { omitUndefined, parts, text, uuid } from "./shapes.ts";

const KINDS = { text: "TEXT", answer: "ANSWER" } as const;

const SendMessage = graphql(`
  mutation SendAgentMessage($input: SendMessageInput!) {
    sent: sendMessage(input: $input) {
      message {
        message_id: uuid
        context_id: contextId
      }
    }
  }
`);

export const messageSend = createTool({
  name: "message_send",
  title: "Send a message",
  description:
    "Writes to people and agents, in a conversation or about a task. To answer another agent's question, send kind answer with reply_to. To ask people, use ask_human.",
  scopes: ["messages:write"],
  effect: "writes",
  input: z.strictObject({
    text: text(LIMITS.partsBytes).optional(),
    parts: parts.optional(),
    kind: z.enum(["text", "answer"]).default("text"),
    context_id: uuid
      .optional()
      .describe("The conversation. Default: a new one, or that of the task or question."),
    task_id: uuid.optional(),
    recipient_agent_id: uuid.optional().describe("Default: everyone in the conversation."),
    reply_to: uuid.optional().describe("The id of the message that this one replies to."),
  }),
  output: z.object({ message_id: uuid, context_id: uuid }),
  run: async ({ ctx }, given) => {
    const { sent } = await execute(ctx, SendMessage, {
      input: omitUndefined({
        kind: KINDS[given.kind],
        parts: toParts(given),
        contextId: given.context_id,
        taskId: toNodeId("Task", given.task_id),
        recipientAgentId: toNodeId("Agent", given.recipient_agent_id),
        replyToId: toNodeId("Message", given.reply_to),
      }),
    });
    return sent.message;
  },
});

/** @throws {DomainError} validation_failed. */
function toParts({ text: words, parts: given }: { text?: string | undefined; parts?: object[] | undefined }) {
  if ((words === undefined) === (given === undefined))
    throw createFieldError("text", "or parts is required, not both");
  return given ?? [{ text: words }];
}

function toNodeId(typename: string, id: string | undefined): string | undefined {
  return id === undefined ? undefined : toGlobalId(typename, id.toLowerCase());
}

import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createNotFoundError } from "../../../src/domain/kernel/errors.ts";
import { execute } from "../../../src/schema/execute.ts";
import { graphql } from "../../../src/schema/graphql.ts";

const NEWEST = 20;

export const CONVERSATION_TEMPLATE = {
  uriTemplate: "agent-ops://conversations/{context_id}",
  name: "conversation",
  title: "Conversation",
  description: `The newest ${NEWEST} messages of a conversation or a task, newest first.`,
  mimeType: "application/json",
};

const ReadConversation = graphql(`
  query ReadConversationResource($contextId: UUID!, $limit: Int!) {
    messages(first: $limit, filter: { contextId: $contextId }) {
      total: totalCount
      nodes {
        id: uuid
        kind
        sender {
          type
          id: uuid
          name
        }
        reply_to_id: replyToUuid
        parts
        created_at: createdAt
      }
    }
  }
`);

/** @throws {DomainError} insufficient_scope without `messages:read`; not_found for one without messages. */
export async function readConversation(ctx: Ctx, contextId: string): Promise<object> {
  const { messages } = await execute(ctx, ReadConversation, { contextId, limit: NEWEST });
  if (messages.nodes.length === 0) throw createNotFoundError("conversation");
  return {
    context_id: contextId,
    total: messages.total,
    messages: messages.nodes.map(({ kind, sender, ...rest }) => ({
      ...rest,
      kind: kind.toLowerCase(),
      sender: { ...sender, type: sender.type.toLowerCase() },
    })),
  };
}

import { type Conversation, listConversations } from "../../domain/conversations/list-conversations.ts";
import { hasScope } from "../../domain/kernel/has-scope.ts";
import type { PageRow } from "../../domain/kernel/page.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { Message } from "./message.ts";

const ConversationType = builder.objectRef<PageRow<Conversation>>("Conversation").implement({
  description: "The messages and tasks of one context.",
  fields: (t) => ({
    contextId: t.expose("contextId", { type: "UUID" }),
    lastMessage: t.field({ type: Message, resolve: (conversation) => conversation }),
    messageCount: t.exposeInt("messageCount", { description: "The number of messages." }),
    questionWaits: t.boolean({
      description: "Whether a task waits for an answer, or a question that concerns no task is unanswered.",
      resolve: ({ waits }) => waits,
    }),
    taskTitle: t.string({
      nullable: true,
      description:
        "The status of the newest task. Null if there is none, or if the caller may not read tasks.",
      resolve: ({ taskTitle }, _args, ctx) => (hasScope(ctx, "tasks:read") ? taskTitle : null),
    }),
  }),
});

const ConversationFilter = builder.inputType("ConversationFilter", {
  fields: (t) => ({
    waiting: t.boolean({ description: "Only conversations in which a question waits for an answer." }),
  }),
});

builder.queryFields((t) => ({
  conversations: t.connection({
    type: ConversationType,
    description:
      "The workspace's conversations, those with the newest message first. `totalCount` is null for " +
      "more than 100.",
    args: { offset: t.arg.int(), filter: t.arg({ type: ConversationFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listConversations(ctx, page, filter ?? {})),
  }),
}));

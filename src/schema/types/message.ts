import { AnswerBy, MessageKind, MessageRole } from "../../db/generated/enums.ts";
import { listMessages } from "../../domain/messages/list-messages.ts";
import { readAnswers } from "../../domain/messages/read-answers.ts";
import { readMessage } from "../../domain/messages/read-message.ts";
import { sendMessage } from "../../domain/messages/send-message.ts";
import type { Part } from "../../domain/kernel/part.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { omitNulls } from "../omit-nulls.ts";
import { toActorRecord } from "./actor.ts";

const MessageRoleEnum = addEnum(
  "MessageRole",
  MessageRole,
  "Whether a message is from a person or an agent.",
);
const MessageKindEnum = addEnum("MessageKind", MessageKind, "The purpose of a message.");

const AnswerByEnum = addEnum("AnswerBy", AnswerBy, "Who may answer a question.");

const loadAnswer = createBatchLoader(readAnswers);

export const Message = builder.prismaNode("Message", {
  ...workspaceNode,
  description: "A message in a context. It never changes, except that a question gets its answer's id.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    contextId: t.expose("contextId", {
      type: "UUID",
      description: "The conversation that the message belongs to.",
    }),
    taskUuid: t.expose("taskId", { type: "UUID", nullable: true }),
    missionUuid: t.expose("missionId", { type: "UUID", nullable: true }),
    role: t.expose("role", { type: MessageRoleEnum }),
    sender: t.field({ type: "Actor", resolve: (message) => toActorRecord(message.sender) }),
    recipientAgentUuid: t.expose("recipientAgentId", {
      type: "UUID",
      nullable: true,
      description: "Null: to everyone in the context.",
    }),
    kind: t.expose("kind", { type: MessageKindEnum }),
    parts: t.field({ type: ["Part"], resolve: (message) => message.parts as object[] }),
    replyToUuid: t.expose("replyToId", { type: "UUID", nullable: true }),
    expectsReply: t.exposeBoolean("expectsReply"),
    answerBy: t.expose("answerBy", { type: AnswerByEnum }),
    answeredByUuid: t.expose("answeredById", { type: "UUID", nullable: true }),
    waiting: t.exposeBoolean("waiting", {
      description:
        "Whether a task waits for its answer, or it is an unanswered question that concerns no task.",
    }),
    referenceTaskUuids: t.expose("referenceTaskIds", { type: ["UUID"] }),
    metadata: t.expose("metadata", { type: "JSON" }),
    traceId: t.exposeString("traceId", { nullable: true }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
  }),
});

builder.prismaObjectFields(Message, (t) => ({
  answer: t.field({
    type: Message,
    nullable: true,
    description: "The answer to a question.",
    resolve: async ({ id, answeredById }, _args, ctx) =>
      answeredById === null ? null : ((await loadAnswer(ctx, id)) ?? null),
  }),
}));

const MessageFilter = builder.inputType("MessageFilter", {
  fields: (t) => ({
    contextId: t.field({ type: "UUID" }),
    taskId: t.id(),
    kind: t.field({ type: MessageKindEnum }),
    toMe: t.boolean({ description: "Only messages to the calling agent." }),
    missionId: t.id(),
    senderUuid: t.field({ type: "UUID", description: "Only messages from this agent or person." }),
    unanswered: t.boolean({ description: "Only unanswered questions." }),
    waiting: t.boolean({
      description: "Only questions for whose answer a task waits, and unanswered ones that concern no task.",
    }),
    createdFrom: t.field({ type: "DateTime", description: "Inclusive." }),
    createdTo: t.field({ type: "DateTime", description: "Exclusive." }),
  }),
});

builder.queryFields((t) => ({
  message: t.prismaField({
    type: Message,
    description: "One message.",
    args: {
      id: t.arg.id({ required: true }),
      waitSeconds: t.arg.int({ description: "How long to wait for the answer to a question, 0 to 25." }),
    },
    resolve: (query, _root, { id, waitSeconds }, ctx) =>
      readMessage(ctx, { id: fromGlobalId("id", "Message", id), waitSeconds }, query),
  }),
  messages: t.connection({
    type: Message,
    description: "The workspace's messages, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: MessageFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) => {
      const { taskId, missionId, senderUuid, ...rest } = filter ?? {};
      return toConnection(
        await listMessages(ctx, page, {
          ...rest,
          taskId: fromOptionalGlobalId("taskId", "Task", taskId),
          missionId: fromOptionalGlobalId("missionId", "Mission", missionId),
          senderId: senderUuid,
        }),
      );
    },
  }),
}));

builder.relayMutationField(
  "sendMessage",
  {
    inputFields: (t) => ({
      uuid: t.field({
        type: "UUID",
        description: "The message's id, chosen by the sender. Sending the same message again does nothing.",
      }),
      contextId: t.field({
        type: "UUID",
        description: "Default: a new context, or that of the task, mission or question.",
      }),
      taskId: t.id(),
      missionId: t.id(),
      recipientAgentId: t.id(),
      kind: t.field({ type: MessageKindEnum, description: "Default TEXT." }),
      answerBy: t.field({
        type: AnswerByEnum,
        description: "Who may answer a question: PERSON is nobody's agent. Default ANYONE.",
      }),
      reusesWaiting: t.boolean({
        description:
          "For a question: whether the same one of yours, about the same task, is returned if it still waits.",
      }),
      parts: t.field({ type: ["Part"], required: true, description: "1 to 32 parts, at most 256 KiB." }),
      replyToId: t.id({
        description:
          "The question that this message answers. An agent can answer questions to itself or to everyone, " +
          "but not its own.",
      }),
      expectsReply: t.boolean(),
      referenceTaskIds: t.idList(),
      metadata: t.field({ type: "JSON", description: "An object of at most 16 KiB." }),
      leaseToken: t.string({
        description: "For a question about a task, from its holder: the task then waits for the answer.",
      }),
      inputTimeoutSeconds: t.int({
        description: "How long the task waits before it fails, 1 to 2,592,000. Default: no limit.",
      }),
    }),
  },
  {
    description: "Sends a message to a context.",
    resolve: (_root, { input }, ctx) => {
      const { clientMutationId: _id, uuid, taskId, missionId, recipientAgentId, ...rest } = input;
      const { replyToId, referenceTaskIds, ...fields } = rest;
      return sendMessage(ctx, {
        ...omitNulls(fields),
        // sendMessage() validates the shape.
        parts: fields.parts as Part[],
        id: uuid,
        taskId: fromOptionalGlobalId("taskId", "Task", taskId),
        missionId: fromOptionalGlobalId("missionId", "Mission", missionId),
        recipientAgentId: fromOptionalGlobalId("recipientAgentId", "Agent", recipientAgentId),
        replyToId: fromOptionalGlobalId("replyToId", "Message", replyToId),
        referenceTaskIds: (referenceTaskIds ?? []).map((id) => fromGlobalId("referenceTaskIds", "Task", id)),
      });
    },
  },
  {
    outputFields: (t) => ({
      message: t.field({ type: Message, resolve: ({ message }) => message }),
      created: t.exposeBoolean("created", { description: "False if the message had already been sent." }),
    }),
  },
);

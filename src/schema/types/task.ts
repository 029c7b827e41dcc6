import { TaskStatus } from "../../db/generated/enums.ts";
import { readOpenQuestions } from "../../domain/messages/read-open-questions.ts";
import type { Part } from "../../domain/kernel/part.ts";
import { createTask } from "../../domain/tasks/create-task.ts";
import { listQueues } from "../../domain/tasks/list-queues.ts";
import { listTasks } from "../../domain/tasks/list-tasks.ts";
import type { SortOrder } from "../../domain/kernel/page.ts";
import { readTask } from "../../domain/tasks/read-task.ts";
import { readTaskCounts } from "../../domain/tasks/read-task-counts.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addCountsType } from "../add-counts-type.ts";
import { addEnum, toEnumValues } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { omitNulls } from "../omit-nulls.ts";
import { toActorRecord } from "./actor.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { Message } from "./message.ts";

export const TaskStatusEnum = addEnum(
  "TaskStatus",
  TaskStatus,
  "The status of a task. AUTH_REQUIRED: people are asked about a call for it. @see A2A's TaskState.",
);

export const TaskCounts = addCountsType("TaskCounts", Object.values(TaskStatus), "Tasks by status.");

const loadOpenQuestion = createBatchLoader(readOpenQuestions);

export const Task = builder.prismaNode("Task", {
  ...workspaceNode,
  description: "Work that agents claim from a queue, one holder at a time.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    contextId: t.expose("contextId", {
      type: "UUID",
      description: "The conversation that the task belongs to.",
    }),
    title: t.exposeString("title"),
    queue: t.exposeString("queue"),
    assigneeAgentUuid: t.expose("assigneeAgentId", {
      type: "UUID",
      nullable: true,
      description: "The only agent that may claim it.",
    }),
    input: t.field({ type: ["Part"], resolve: (task) => task.input as object[] }),
    status: t.expose("status", { type: TaskStatusEnum }),
    statusMessage: t.exposeString("statusMessage", { nullable: true }),
    priority: t.exposeInt("priority", { description: "0 to 9. Tasks with 9 are claimed first." }),
    progress: t.exposeFloat("progress", { nullable: true, description: "0 to 1." }),
    output: t.expose("output", { type: "JSON", nullable: true }),
    artifacts: t.expose("artifacts", { type: "JSON" }),
    error: t.expose("error", { type: "JSON", nullable: true }),
    claimedByAgentUuid: t.expose("claimedByAgentId", { type: "UUID", nullable: true }),
    attempt: t.exposeInt("attempt"),
    maxAttempts: t.exposeInt("maxAttempts"),
    runAfter: t.expose("runAfter", { type: "DateTime", nullable: true }),
    deadlineAt: t.expose("deadlineAt", { type: "DateTime", nullable: true }),
    cancelRequestedAt: t.expose("cancelRequestedAt", { type: "DateTime", nullable: true }),
    parentTaskUuid: t.expose("parentTaskId", { type: "UUID", nullable: true }),
    missionUuid: t.expose("missionId", { type: "UUID", nullable: true }),
    traceId: t.exposeString("traceId", { nullable: true }),
    labels: t.expose("labels", { type: "JSON" }),
    metadata: t.expose("metadata", { type: "JSON" }),
    createdBy: t.field({ type: "Actor", resolve: (task) => toActorRecord(task.createdBy) }),
    generation: t.exposeInt("generation", {
      description: "Starts at 1 and grows with every change except heartbeats.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    startedAt: t.expose("startedAt", {
      type: "DateTime",
      nullable: true,
      description: "When it was first claimed.",
    }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
  }),
});

builder.prismaObjectFields(Task, (t) => ({
  approvalUuid: t.expose("approvalId", {
    type: "UUID",
    nullable: true,
    description:
      "The last question to people about a call for the task. While it is AUTH_REQUIRED, one that it waits for.",
  }),
  decisionUuid: t.expose("decisionId", {
    type: "UUID",
    nullable: true,
    description: "The decision that asked it.",
  }),
  assigneeAgent: t.field({
    type: AgentNameType,
    nullable: true,
    description: "Null if the caller may not read agents.",
    resolve: ({ assigneeAgentId }, _args, ctx) => findAgentName(ctx, assigneeAgentId),
  }),
  claimedByAgent: t.field({
    type: AgentNameType,
    nullable: true,
    description: "Null if the caller may not read agents.",
    resolve: ({ claimedByAgentId }, _args, ctx) => findAgentName(ctx, claimedByAgentId),
  }),
  question: t.field({
    type: Message,
    nullable: true,
    description: "The question that the task waits for.",
    resolve: async ({ id, status }, _args, ctx) =>
      status === "input_required" ? ((await loadOpenQuestion(ctx, id)) ?? null) : null,
  }),
}));

const TaskFilter = builder.inputType("TaskFilter", {
  fields: (t) => ({
    status: t.field({ type: TaskStatusEnum }),
    statuses: t.field({ type: [TaskStatusEnum], description: "Matches any of these statuses." }),
    queue: t.string(),
    assigneeAgentId: t.id({ description: "Only tasks that are assigned to this agent." }),
    claimedByAgentId: t.id({ description: "Only tasks that this agent holds or was the last to hold." }),
    contextId: t.field({ type: "UUID" }),
    parentTaskId: t.id({ description: "Only retries of this task." }),
    missionId: t.id(),
    labels: t.field({
      type: "JSON",
      description: "Only tasks that have all of these labels: an object of strings.",
    }),
    search: t.string({ description: "The starts of at most 10 words in the title, 1 to 100 characters." }),
    createdFrom: t.field({ type: "DateTime", description: "Inclusive." }),
    createdTo: t.field({ type: "DateTime", description: "Exclusive." }),
    updatedAfter: t.field({
      type: "DateTime",
      description: "Only tasks that were updated after this time. Progress is not an update.",
    }),
  }),
});

const TaskOrder = addEnum(
  "TaskOrder",
  toEnumValues(["created_desc", "created_asc", "updated_desc", "updated_asc"]),
  "The order of tasks. Use a cursor only with the order it came from. Progress is not an update.",
);

const ORDERS: Readonly<Record<typeof TaskOrder.$inferType, SortOrder | undefined>> = {
  created_desc: undefined,
  created_asc: { by: "createdAt", isOldestFirst: true },
  updated_desc: { by: "updatedAt", isOldestFirst: false },
  updated_asc: { by: "updatedAt", isOldestFirst: true },
};

builder.queryFields((t) => ({
  task: t.prismaField({
    type: Task,
    description: "One task. With `currentGeneration`, waits until the task changes.",
    args: {
      id: t.arg.id({ required: true }),
      currentGeneration: t.arg.int({
        description: "The generation that the caller has: waits for a different one.",
      }),
      waitSeconds: t.arg.int({ description: "How long to wait for a change, 0 to 25." }),
    },
    resolve: (query, _root, { id, ...known }, ctx) =>
      readTask(ctx, { id: fromGlobalId("id", "Task", id), ...known }, query),
  }),
  taskCounts: t.field({
    type: TaskCounts,
    description: "The number of tasks in the workspace by status.",
    resolve: (_root, _args, ctx) => readTaskCounts(ctx),
  }),
  queues: t.stringList({
    description: "The names of queues with tasks, finished ones too: the first 100 of the alphabet.",
    resolve: (_root, _args, ctx) => listQueues(ctx),
  }),
  tasks: t.connection({
    type: Task,
    description: "The workspace's tasks, newest first by default.",
    args: {
      offset: t.arg.int(),
      filter: t.arg({ type: TaskFilter }),
      orderBy: t.arg({ type: TaskOrder, description: "Default CREATED_DESC." }),
    },
    complexity: pageComplexity,
    resolve: async (_root, { filter, orderBy, ...page }, ctx) => {
      const { assigneeAgentId, claimedByAgentId, parentTaskId, missionId, labels, ...rest } = filter ?? {};
      return toConnection(
        await listTasks(ctx, page, {
          ...rest,
          order: ORDERS[orderBy ?? "created_desc"],
          // listTasks() validates the shape.
          labels: (labels ?? null) as Record<string, string> | null,
          assigneeAgentId: fromOptionalGlobalId("assigneeAgentId", "Agent", assigneeAgentId),
          claimedByAgentId: fromOptionalGlobalId("claimedByAgentId", "Agent", claimedByAgentId),
          parentTaskId: fromOptionalGlobalId("parentTaskId", "Task", parentTaskId),
          missionId: fromOptionalGlobalId("missionId", "Mission", missionId),
        }),
      );
    },
  }),
}));

builder.relayMutationField(
  "createTask",
  {
    inputFields: (t) => ({
      title: t.string({ required: true, description: "1 to 200 characters." }),
      queue: t.string({ description: "Default: `default`." }),
      assigneeAgentId: t.id({ description: "The only agent that may claim it." }),
      input: t.field({ type: ["Part"], description: "At most 32 parts and 256 KiB." }),
      priority: t.int({ description: "0 to 9. Default 5." }),
      maxAttempts: t.int({ description: "1 to 20. Default 3." }),
      runAfter: t.field({ type: "DateTime", description: "The task can't be claimed before this time." }),
      deadlineAt: t.field({ type: "DateTime" }),
      contextId: t.field({ type: "UUID", description: "Default: a new one." }),
      parentTaskId: t.id({ description: "The task that this one retries." }),
      labels: t.field({ type: "JSON", description: "An object of short strings." }),
      metadata: t.field({ type: "JSON", description: "An object of at most 16 KiB." }),
    }),
  },
  {
    description: "Creates a task in a queue.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, assigneeAgentId, parentTaskId, ...fields } = input;
      const task = await createTask(ctx, {
        ...omitNulls(fields),
        title: fields.title,
        // createTask() validates the shape.
        input: (fields.input ?? []) as Part[],
        assigneeAgentId: fromOptionalGlobalId("assigneeAgentId", "Agent", assigneeAgentId),
        parentTaskId: fromOptionalGlobalId("parentTaskId", "Task", parentTaskId),
      });
      return { task };
    },
  },
  { outputFields: (t) => ({ task: t.field({ type: Task, resolve: ({ task }) => task }) }) },
);

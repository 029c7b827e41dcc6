import type { Part } from "../../domain/kernel/part.ts";
import { acknowledgeTaskCancel } from "../../domain/tasks/acknowledge-task-cancel.ts";
import { cancelTask } from "../../domain/tasks/cancel-task.ts";
import { type Lease as TaskLease, claimTask } from "../../domain/tasks/claim-task.ts";
import { completeTask } from "../../domain/tasks/complete-task.ts";
import { failTask } from "../../domain/tasks/fail-task.ts";
import { heartbeatTask } from "../../domain/tasks/heartbeat-task.ts";
import { rejectTask } from "../../domain/tasks/reject-task.ts";
import { releaseTask } from "../../domain/tasks/release-task.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { ControlStateEnum } from "./agent.ts";
import { Task } from "./task.ts";

const Lease = builder.objectRef<TaskLease>("Lease").implement({
  description: "The right to work on a task until the lease expires.",
  fields: (t) => ({
    token: t.exposeString("token", {
      description: "Shown only once. Required in every call about the task.",
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime" }),
    attempt: t.exposeInt("attempt", {
      description:
        "The fencing token: grows with every claim of the task. Use it as the key of side effects.",
    }),
    traceparent: t.exposeString("traceparent", {
      description: "The parent of the work's spans, as a W3C traceparent.",
    }),
  }),
});

const LEASE_TOKEN = "The lease token from the claim.";
const IF_GENERATION = "Fails with `precondition_failed` unless the task's generation is one of these.";

/** Drops `clientMutationId` and converts the task's Relay id to its uuid. */
function toDomainInput<Input extends { id: string; clientMutationId?: string | null }>(input: Input) {
  const { clientMutationId: _id, id, ...rest } = input;
  return { ...rest, id: fromGlobalId("id", "Task", id) };
}

builder.relayMutationField(
  "claimTask",
  {
    inputFields: (t) => ({
      queues: t.stringList({ description: "At most 16. Default: `default`." }),
      leaseSeconds: t.int({ description: "10 to 600. Default 60." }),
      waitSeconds: t.int({ description: "How long to wait for a task, 0 to 25." }),
    }),
  },
  {
    description:
      "Claims the next task of the given queues. The task is null if none is due, or if the agent is " +
      "paused or stopped.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, ...asked } = input;
      const claim = await claimTask(ctx, omitNulls(asked));
      return { task: claim?.task ?? null, lease: claim?.lease ?? null };
    },
  },
  {
    outputFields: (t) => ({
      task: t.field({ type: Task, nullable: true, resolve: ({ task }) => task }),
      lease: t.field({ type: Lease, nullable: true, resolve: ({ lease }) => lease }),
    }),
  },
);

builder.relayMutationField(
  "heartbeatTask",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      leaseToken: t.string({ required: true, description: LEASE_TOKEN }),
      progress: t.float({ description: "0 to 1." }),
      statusMessage: t.string({ description: "1 to 2,000 characters." }),
    }),
  },
  {
    description: "Extends a lease and reports progress.",
    resolve: (_root, { input }, ctx) => heartbeatTask(ctx, toDomainInput(input)),
  },
  {
    outputFields: (t) => ({
      leaseExpiresAt: t.expose("leaseExpiresAt", {
        type: "DateTime",
        nullable: true,
        description: "Null while the task waits for an answer.",
      }),
      cancelRequested: t.exposeBoolean("cancelRequested"),
      controlState: t.expose("controlState", { type: ControlStateEnum }),
    }),
  },
);

builder.relayMutationField(
  "completeTask",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      leaseToken: t.string({ required: true, description: LEASE_TOKEN }),
      output: t.field({ type: "JSON", description: "At most 256 KiB." }),
      artifacts: t.field({
        type: "JSON",
        description: "A list of at most 32, each with `artifact_id`, `parts` and optionally `name`.",
      }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description: "Completes a task with its output and artifacts.",
    resolve: async (_root, { input }, ctx) => {
      const { artifacts, ...call } = toDomainInput(input);
      // completeTask() validates the shape.
      const made = (artifacts ?? []) as { artifact_id: string; name?: string; parts: Part[] }[];
      return { task: await completeTask(ctx, { ...call, artifacts: made }) };
    },
  },
  { outputFields: (t) => ({ task: t.field({ type: Task, resolve: ({ task }) => task }) }) },
);

const TaskFailure = builder.inputType("TaskFailure", {
  fields: (t) => ({
    code: t.string({ description: "1 to 64 characters. Default `agent_error`." }),
    message: t.string({ required: true, description: "1 to 2,000 characters." }),
    retryable: t.boolean({ description: "Whether another attempt may succeed. Default true." }),
  }),
});

builder.relayMutationField(
  "failTask",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      leaseToken: t.string({ required: true, description: LEASE_TOKEN }),
      error: t.field({ type: TaskFailure, required: true }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description: "Reports that an attempt failed. The task is retried later, or fails.",
    resolve: async (_root, { input }, ctx) => {
      const { error, ...call } = toDomainInput(input);
      const failure = { ...omitNulls(error), message: error.message };
      return { task: await failTask(ctx, { ...call, error: failure }) };
    },
  },
  { outputFields: (t) => ({ task: t.field({ type: Task, resolve: ({ task }) => task }) }) },
);

builder.relayMutationField(
  "rejectTask",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      leaseToken: t.string({
        description: "Not required if the task is waiting and assigned to the calling agent.",
      }),
      reason: t.string({ description: "1 to 2,000 characters." }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description: "Rejects a task. It is not retried.",
    resolve: async (_root, { input }, ctx) => ({ task: await rejectTask(ctx, toDomainInput(input)) }),
  },
  { outputFields: (t) => ({ task: t.field({ type: Task, resolve: ({ task }) => task }) }) },
);

builder.relayMutationField(
  "releaseTask",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      leaseToken: t.string({ required: true, description: LEASE_TOKEN }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description: "Returns a task to its queue. The attempt counts.",
    resolve: async (_root, { input }, ctx) => ({ task: await releaseTask(ctx, toDomainInput(input)) }),
  },
  { outputFields: (t) => ({ task: t.field({ type: Task, resolve: ({ task }) => task }) }) },
);

builder.relayMutationField(
  "acknowledgeTaskCancel",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      leaseToken: t.string({ required: true, description: LEASE_TOKEN }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description: "Confirms that the holder has stopped work on a task whose cancellation was requested.",
    resolve: async (_root, { input }, ctx) => ({
      task: await acknowledgeTaskCancel(ctx, toDomainInput(input)),
    }),
  },
  { outputFields: (t) => ({ task: t.field({ type: Task, resolve: ({ task }) => task }) }) },
);

builder.relayMutationField(
  "cancelTask",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      reason: t.string({ description: "1 to 2,000 characters." }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description:
      "Cancels a task: immediately if nobody holds it, otherwise when its holder confirms or after 30 seconds.",
    resolve: async (_root, { input }, ctx) => ({ task: await cancelTask(ctx, toDomainInput(input)) }),
  },
  { outputFields: (t) => ({ task: t.field({ type: Task, resolve: ({ task }) => task }) }) },
);

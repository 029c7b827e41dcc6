import { builder } from "../builder.ts";
import { Trace } from "./trace.ts";
import { findTaskTitle } from "./task-title.ts";

builder.prismaObjectFields(Trace, (t) => ({
  taskUuid: t.expose("taskId", {
    type: "UUID",
    nullable: true,
    description: "The task that its spans name. May have been deleted.",
  }),
  taskTitle: t.string({
    nullable: true,
    description: "Null without a task, once it was deleted, and if the caller may not read tasks.",
    resolve: ({ taskId }, _args, ctx) => findTaskTitle(ctx, taskId),
  }),
  missionUuid: t.expose("missionId", { type: "UUID", nullable: true }),
  inputTokens: t.float({
    description: "Of the calls in it, each once. Of whole prompts, also what was cached.",
    resolve: ({ inputTokens }) => Number(inputTokens),
  }),
  cacheReadTokens: t.float({ resolve: ({ cacheReadTokens }) => Number(cacheReadTokens) }),
  outputTokens: t.float({ resolve: ({ outputTokens }) => Number(outputTokens) }),
  costUsd: t.expose("costUsd", { type: "Decimal", description: "Of the calls in it, each once." }),
  unpricedCalls: t.exposeInt("unpricedCalls", {
    description: "Calls whose cost nobody knows, and which `costUsd` does not have.",
  }),
  models: t.exposeStringList("models", { description: "At most 20." }),
}));

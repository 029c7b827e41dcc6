import { EvalRunStatus, EvalVerdict } from "../../db/generated/enums.ts";
import { listEvalRuns } from "../../domain/eval-runs/list-eval-runs.ts";
import { readEvalRun } from "../../domain/eval-runs/read-eval-run.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { toActorRecord } from "./actor.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";

const EvalRunStatusEnum = addEnum("EvalRunStatus", EvalRunStatus, "The status of an evaluation run.");
const EvalVerdictEnum = addEnum("EvalVerdict", EvalVerdict, "The verdict of a run's gate.");

export const EvalRun = builder.prismaNode("EvalRun", {
  ...workspaceNode,
  description: "One run of an evaluation suite against an agent.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    suite: t.exposeString("suite"),
    name: t.exposeString("name"),
    agentUuid: t.expose("agentId", { type: "UUID", nullable: true }),
    agentVersion: t.exposeString("agentVersion", { nullable: true }),
    dataset: t.expose("dataset", { type: "JSON", nullable: true }),
    status: t.expose("status", { type: EvalRunStatusEnum }),
    resultCounts: t.expose("resultCounts", {
      type: "JSON",
      description:
        "`total`, `passed`, `failed` and `errored`. Skipped results count towards the total, not towards " +
        "the pass rate.",
    }),
    scoreSummaries: t.expose("scoreSummaries", {
      type: "JSON",
      description:
        "`name`, `mean`, `min`, `max` and `n` of each score. Until the run completes, `min` and `max` cover replaced results too.",
    }),
    baselineRunUuid: t.expose("baselineRunId", {
      type: "UUID",
      nullable: true,
      description: "The run that it is compared with.",
    }),
    gate: t.expose("gate", {
      type: "JSON",
      nullable: true,
      description: "`min_pass_rate`, `max_regressions` and `min_scores`.",
    }),
    verdict: t.expose("verdict", { type: EvalVerdictEnum }),
    verdictReasons: t.exposeStringList("verdictReasons", {
      description:
        "Conditions of the gate that failed, such as `pass_rate 0.91 < 0.95`, or were not checked.",
    }),
    error: t.expose("error", {
      type: "JSON",
      nullable: true,
      description: "Why the run failed: `code` and `message`.",
    }),
    baseline: t.exposeBoolean("baseline", { description: "Whether it is the baseline of its suite." }),
    source: t.expose("source", { type: "JSON", nullable: true }),
    costUsd: t.exposeFloat("costUsd", { nullable: true }),
    metadata: t.expose("metadata", { type: "JSON" }),
    createdBy: t.field({ type: "Actor", resolve: (run) => toActorRecord(run.createdBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
  }),
});

builder.prismaObjectField(EvalRun, "agent", (t) =>
  t.field({
    type: AgentNameType,
    nullable: true,
    description: "The agent's name. Null without agents:read.",
    resolve: ({ agentId }, _args, ctx) => findAgentName(ctx, agentId),
  }),
);

const EvalRunFilter = builder.inputType("EvalRunFilter", {
  fields: (t) => ({
    status: t.field({ type: EvalRunStatusEnum }),
    suite: t.string(),
    agentId: t.id({ description: "Only runs of this agent." }),
  }),
});

builder.queryFields((t) => ({
  evalRun: t.prismaField({
    type: EvalRun,
    description: "One evaluation run.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => readEvalRun(ctx, fromGlobalId("id", "EvalRun", id), query),
  }),
  evalRuns: t.connection({
    type: EvalRun,
    description: "The workspace's evaluation runs, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: EvalRunFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) => {
      const agentId = fromOptionalGlobalId("agentId", "Agent", filter?.agentId);
      return toConnection(await listEvalRuns(ctx, page, { ...filter, agentId }));
    },
  }),
}));

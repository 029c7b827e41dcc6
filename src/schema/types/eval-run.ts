import { EvalRunStatus, EvalVerdict } from "../../db/generated/enums.ts";
import { listEvalRuns } from "../../domain/eval-runs/list-eval-runs.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { enumOf } from "../enum.ts";
import { workspaceNode } from "../node.ts";
import { actorOf } from "./actor.ts";

const EvalRunStatusEnum = enumOf("EvalRunStatus", EvalRunStatus, "Where an evaluation run stands.");
const EvalVerdictEnum = enumOf("EvalVerdict", EvalVerdict, "What a run's gate says.");

const EvalRun = builder.prismaNode("EvalRun", {
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
    resultCounts: t.expose("resultCounts", { type: "JSON", description: "total, passed, failed, errored." }),
    scoreSummaries: t.expose("scoreSummaries", { type: "JSON" }),
    baselineRunUuid: t.expose("baselineRunId", { type: "UUID", nullable: true }),
    gate: t.expose("gate", { type: "JSON", nullable: true }),
    verdict: t.expose("verdict", { type: EvalVerdictEnum }),
    verdictReasons: t.exposeStringList("verdictReasons"),
    baseline: t.exposeBoolean("baseline", { description: "Whether other runs are compared with it." }),
    source: t.expose("source", { type: "JSON", nullable: true }),
    costUsd: t.exposeFloat("costUsd", { nullable: true }),
    metadata: t.expose("metadata", { type: "JSON" }),
    createdBy: t.field({ type: "Actor", resolve: (run) => actorOf(run.createdBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
  }),
});

const EvalRunFilter = builder.inputType("EvalRunFilter", {
  fields: (t) => ({ status: t.field({ type: EvalRunStatusEnum }) }),
});

builder.queryFields((t) => ({
  evalRuns: t.connection({
    type: EvalRun,
    description: "The workspace's evaluation runs, newest first.",
    args: { offset: t.arg.int(), filter: t.arg({ type: EvalRunFilter }) },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listEvalRuns(ctx, page, { status: filter?.status })),
  }),
}));

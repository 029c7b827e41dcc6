import { listStops } from "../../domain/stops/list-stops.ts";
import {
  type OutstandingAgent,
  type StopProgress,
  pickOutstanding,
  readStopProgress,
} from "../../domain/stops/read-stop-progress.ts";
import type { Stop, StopStage } from "../../domain/stops/stop.ts";
import { isOfAll } from "../../domain/stops/stop-scope.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { pageComplexity } from "../connection.ts";
import { toGlobalId } from "../global-id.ts";
import { AgentKindEnum } from "./agent.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { StopStateEnum } from "./stop-state.ts";

const NOTHING: StopProgress = {
  agents: { total: 0, confirmed: 0, pending: 0, unreachable: 0 },
  outstanding: [],
};

const loadProgress = createBatchLoader(readStopProgress);

const StopScopeType = builder.objectRef<Stop>("StopScope").implement({
  description: "The agents that a stop is for: those of a kind, with all of some labels.",
  fields: (t) => ({
    kind: t.expose("kind", { type: AgentKindEnum, nullable: true, description: "Null for both kinds." }),
    labels: t.expose("labels", { type: "JSON" }),
  }),
});

const StopAgents = builder.objectRef<StopProgress["agents"]>("StopAgents").implement({
  description:
    "The agents that a stop covers, counted by whether they have confirmed it. Archived agents, agents created " +
    "since and those that were resumed are not counted.",
  fields: (t) => ({
    total: t.exposeInt("total"),
    confirmed: t.exposeInt("confirmed"),
    pending: t.exposeInt("pending"),
    unreachable: t.exposeInt("unreachable"),
  }),
});

const OutstandingAgentType = builder.objectRef<OutstandingAgent>("OutstandingAgent").implement({
  description: "An agent that has not confirmed a stop.",
  fields: (t) => ({
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      resolve: ({ id }, _args, ctx) => findAgentName(ctx, id),
    }),
    kind: t.expose("kind", { type: AgentKindEnum }),
    state: t.expose("state", { type: StopStateEnum, description: "PENDING or UNREACHABLE." }),
    lastSeenAt: t.expose("lastSeenAt", { type: "DateTime", nullable: true }),
  }),
});

const StopStageType = builder.objectRef<StopStage>("StopStage").implement({
  description: "How an admin resumed some agents of a stop.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID", description: "Also the batch id of the commands to resume." }),
    at: t.expose("at", { type: "DateTime" }),
    by: t.expose("by", { type: "Actor" }),
    reason: t.exposeString("reason"),
    count: t.exposeInt("count", { description: "The agents that it resumed." }),
    labels: t.expose("labels", {
      type: "JSON",
      nullable: true,
      description: "The labels of the agents that were meant.",
    }),
    percent: t.exposeInt("percent", {
      nullable: true,
      description: "The percentage that was meant. Null, as are the labels, for agents that were named.",
    }),
  }),
});

/** A list in a column of its row: nothing is read for it. */
const STORED_LIST = { field: 1, multiplier: 1 };

export const StopType = builder.objectRef<Stop>("Stop").implement({
  description: "Who stopped agents, when and why, and which agents have confirmed.",
  fields: (t) => ({
    id: t.id({ resolve: ({ id }) => toGlobalId("Stop", id) }),
    uuid: t.expose("id", { type: "UUID", description: "Also the batch id of the stop's commands." }),
    scope: t.field({
      type: StopScopeType,
      nullable: true,
      description: "Null for all agents of the workspace.",
      resolve: (stop) => (isOfAll(stop) ? null : stop),
    }),
    at: t.expose("at", { type: "DateTime" }),
    by: t.expose("by", { type: "Actor" }),
    reason: t.exposeString("reason"),
    agents: t.field({
      type: StopAgents,
      description: "Requires agents:read.",
      complexity: 10,
      resolve: async ({ id }, _args, ctx) => ((await loadProgress(ctx, id)) ?? NOTHING).agents,
    }),
    outstanding: t.field({
      type: [OutstandingAgentType],
      description:
        "Agents that have not confirmed: robots first, then unreachable agents, then by name. At most " +
        "`first` of the `pending` and `unreachable` ones. Requires agents:read.",
      args: {
        first: t.arg.int({ description: "1 to 100. Default 20." }),
      },
      complexity: pageComplexity,
      resolve: async ({ id }, { first }, ctx) =>
        pickOutstanding((await loadProgress(ctx, id)) ?? NOTHING, { first }),
    }),
    stages: t.field({
      type: [StopStageType],
      description: "How agents were resumed, in order.",
      complexity: STORED_LIST,
      resolve: ({ stages }) => stages,
    }),
    releasedAt: t.expose("releasedAt", { type: "DateTime", nullable: true }),
  }),
});

builder.queryFields((t) => ({
  stops: t.field({
    type: [StopType],
    description: "The stops that stand, oldest first. Requires agents:read.",
    complexity: { field: 1, multiplier: 10 },
    resolve: (_root, _args, ctx) => listStops(ctx),
  }),
}));

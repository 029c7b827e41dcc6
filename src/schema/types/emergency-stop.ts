import type { ActorRecord } from "../../domain/kernel/actor.ts";
import {
  type OutstandingAgent,
  type StopProgress,
  readStopProgress,
} from "../../domain/stops/read-stop-progress.ts";
import { builder } from "../builder.ts";
import { pageComplexity } from "../connection.ts";
import { AgentKindEnum } from "./agent.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { StopStateEnum } from "./stop-state.ts";

const StopAgents = builder.objectRef<StopProgress["agents"]>("StopAgents").implement({
  description:
    "The agents that the emergency stop is for, counted by whether they have confirmed it. Archived " +
    "agents and agents created since are not counted.",
  fields: (t) => ({
    total: t.exposeInt("total"),
    confirmed: t.exposeInt("confirmed"),
    pending: t.exposeInt("pending"),
    unreachable: t.exposeInt("unreachable"),
  }),
});

const OutstandingAgentType = builder.objectRef<OutstandingAgent>("OutstandingAgent").implement({
  description: "An agent that has not confirmed the emergency stop.",
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

/** An active emergency stop. */
export type StandingStop = { id: string | null; at: Date | string; by: ActorRecord; reason: string | null };

export const WorkspaceEmergencyStop = builder.objectRef<StandingStop>("WorkspaceEmergencyStop").implement({
  description: "Who stopped all agents of the workspace, when and why, and which agents have confirmed.",
  fields: (t) => ({
    uuid: t.expose("id", {
      type: "UUID",
      nullable: true,
      description: "Also the batch id of the stop's commands.",
    }),
    at: t.expose("at", { type: "DateTime" }),
    by: t.expose("by", { type: "Actor" }),
    reason: t.exposeString("reason", { nullable: true }),
    agents: t.field({
      type: StopAgents,
      description: "Requires agents:read.",
      complexity: 10,
      resolve: async (_stop, _args, ctx) => (await readStopProgress(ctx, {})).agents,
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
      resolve: async (_stop, { first }, ctx) => (await readStopProgress(ctx, { first })).outstanding,
    }),
  }),
});

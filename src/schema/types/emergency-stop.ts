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
    "The agents that an emergency stop told, by whether they have confirmed it. Those that are newer than the stop and those that were archived since are not among them.",
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

/** An emergency stop that stands. */
export type StandingStop = { id: string | null; at: Date | string; by: ActorRecord; reason: string | null };

/** The type of the emergency stop, for the workspace and its overview. */
export const WorkspaceEmergencyStop = builder.objectRef<StandingStop>("WorkspaceEmergencyStop").implement({
  description: "Who stopped all agents of the workspace, when and why, and who has confirmed it.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID", nullable: true, description: "Also the batch of its commands." }),
    at: t.expose("at", { type: "DateTime" }),
    by: t.expose("by", { type: "Actor" }),
    reason: t.exposeString("reason", { nullable: true }),
    agents: t.field({
      type: StopAgents,
      description: "Needs agents:read.",
      complexity: 10,
      resolve: async (_stop, _args, ctx) => (await readStopProgress(ctx, {})).agents,
    }),
    outstanding: t.field({
      type: [OutstandingAgentType],
      description:
        "Agents that have not confirmed: robots first, then those that can't be reached, then by name. As many as `pending` and `unreachable` together, cut at `first`. Needs agents:read.",
      args: {
        first: t.arg.int({ description: "1 to 100; 20 where it is left out." }),
      },
      complexity: pageComplexity,
      resolve: async (_stop, { first }, ctx) => (await readStopProgress(ctx, { first })).outstanding,
    }),
  }),
});

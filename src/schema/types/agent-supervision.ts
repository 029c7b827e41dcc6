import { archiveAgent } from "../../domain/agents/archive-agent.ts";
import { createAgent } from "../../domain/agents/create-agent.ts";
import { emergencyStop, releaseEmergencyStop } from "../../domain/stops/emergency-stop.ts";
import { heartbeatAgent } from "../../domain/agents/heartbeat-agent.ts";
import { renameAgent } from "../../domain/agents/rename-agent.ts";
import { setAgentControlState } from "../../domain/agents/set-agent-control-state.ts";
import { updateOwnAgent } from "../../domain/agents/update-own-agent.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { Agent, AgentKindEnum, ControlStateEnum } from "./agent.ts";
import { Workspace } from "./workspace.ts";

builder.relayMutationField(
  "createAgent",
  {
    inputFields: (t) => ({
      handle: t.string({ required: true, description: "Unique in the workspace, for ever." }),
      name: t.string({ description: "The handle where it is left out." }),
      kind: t.field({ type: AgentKindEnum, description: "SOFTWARE where it is left out." }),
    }),
  },
  {
    description: "Creates an agent.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, handle, ...fields } = input;
      return { agent: await createAgent(ctx, { ...omitNulls(fields), handle }) };
    },
  },
  { outputFields: (t) => ({ agent: t.field({ type: Agent, resolve: ({ agent }) => agent }) }) },
);

builder.relayMutationField(
  "renameAgent",
  { inputFields: (t) => ({ id: t.id({ required: true }), name: t.string({ required: true }) }) },
  {
    description: "Gives an agent another name. For admins.",
    resolve: async (_root, { input: { id, name } }, ctx) => ({
      agent: await renameAgent(ctx, { id: fromGlobalId("id", "Agent", id), name }),
    }),
  },
  { outputFields: (t) => ({ agent: t.field({ type: Agent, resolve: ({ agent }) => agent }) }) },
);

builder.relayMutationField(
  "archiveAgent",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description: "Archives an agent for good: its tokens die, and it gets no more work. For admins.",
    resolve: async (_root, { input: { id } }, ctx) => ({
      agent: await archiveAgent(ctx, fromGlobalId("id", "Agent", id)),
    }),
  },
  { outputFields: (t) => ({ agent: t.field({ type: Agent, resolve: ({ agent }) => agent }) }) },
);

builder.relayMutationField(
  "updateOwnAgent",
  {
    inputFields: (t) => ({
      name: t.string({ description: "1 to 100 characters." }),
      version: t.string({ description: "1 to 100 characters." }),
      description: t.string({ description: "1 to 2,000 characters." }),
      capabilities: t.field({
        type: "JSON",
        description: "A list of at most 64 commands, each with `type` and optionally `params_schema`.",
      }),
      labels: t.field({ type: "JSON", description: "Short texts by short names." }),
    }),
  },
  {
    description: "Tells who the calling agent is and what it can do: what is given, and the rest stays.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, version, description, ...fields } = input;
      // Held to its shape by the verb. For these two null says that there is none.
      const profile = { ...omitNulls(fields), version, description } as Parameters<typeof updateOwnAgent>[1];
      return { agent: await updateOwnAgent(ctx, profile) };
    },
  },
  { outputFields: (t) => ({ agent: t.field({ type: Agent, resolve: ({ agent }) => agent }) }) },
);

builder.relayMutationField(
  "heartbeatAgent",
  { inputFields: () => ({}) },
  {
    description: "Tells that the calling agent is there, and how it stands.",
    resolve: (_root, _args, ctx) => heartbeatAgent(ctx),
  },
  {
    outputFields: (t) => ({
      controlState: t.expose("controlState", { type: ControlStateEnum }),
      emergencyStop: t.exposeBoolean("emergencyStop", { description: "Whether everybody is stopped." }),
      pendingCommands: t.exposeInt("pendingCommands", {
        description: "Commands that wait to be acknowledged.",
      }),
      serverTime: t.expose("serverTime", { type: "DateTime" }),
    }),
  },
);

builder.relayMutationField(
  "setAgentControlState",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      controlState: t.field({ type: ControlStateEnum, required: true }),
      reason: t.string({ description: "1 to 2,000 characters." }),
    }),
  },
  {
    description: "Pauses, stops or resumes an agent, at once. For operators.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, id, ...fields } = input;
      return { agent: await setAgentControlState(ctx, { ...fields, id: fromGlobalId("id", "Agent", id) }) };
    },
  },
  { outputFields: (t) => ({ agent: t.field({ type: Agent, resolve: ({ agent }) => agent }) }) },
);

builder.relayMutationField(
  "emergencyStop",
  { inputFields: (t) => ({ reason: t.string({ required: true, description: "1 to 2,000 characters." }) }) },
  {
    description: "Stops all agents of the workspace, at once. Not a safety function. For operators.",
    resolve: async (_root, { input: { reason } }, ctx) => ({
      workspace: await emergencyStop(ctx, { reason }),
    }),
  },
  {
    outputFields: (t) => ({
      workspace: t.field({ type: Workspace, resolve: ({ workspace }) => workspace }),
    }),
  },
);

builder.relayMutationField(
  "releaseEmergencyStop",
  { inputFields: (t) => ({ reason: t.string({ required: true, description: "1 to 2,000 characters." }) }) },
  {
    description: "Ends an emergency stop. For admins.",
    resolve: async (_root, { input: { reason } }, ctx) => ({
      workspace: await releaseEmergencyStop(ctx, { reason }),
    }),
  },
  {
    outputFields: (t) => ({
      workspace: t.field({ type: Workspace, resolve: ({ workspace }) => workspace }),
    }),
  },
);

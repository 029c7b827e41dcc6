import { archiveAgent } from "../../domain/agents/archive-agent.ts";
import { createAgent } from "../../domain/agents/create-agent.ts";
import { heartbeatAgent } from "../../domain/agents/heartbeat-agent.ts";
import { renameAgent } from "../../domain/agents/rename-agent.ts";
import { setAgentCapture } from "../../domain/agents/set-agent-capture.ts";
import { setAgentControlState } from "../../domain/agents/set-agent-control-state.ts";
import { setAgentLabels } from "../../domain/agents/set-agent-labels.ts";
import { updateOwnAgent } from "../../domain/agents/update-own-agent.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { Agent, AgentKindEnum, ControlStateEnum } from "./agent.ts";
import { CaptureContentEnum } from "./capture-content.ts";

builder.relayMutationField(
  "createAgent",
  {
    inputFields: (t) => ({
      handle: t.string({
        required: true,
        description: "Unique in the workspace. Never used again, even after the agent is archived.",
      }),
      name: t.string({ description: "Default: the handle." }),
      kind: t.field({ type: AgentKindEnum, description: "Default SOFTWARE." }),
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
    description: "Renames an agent. For admins.",
    resolve: async (_root, { input: { id, name } }, ctx) => ({
      agent: await renameAgent(ctx, { id: fromGlobalId("id", "Agent", id), name }),
    }),
  },
  { outputFields: (t) => ({ agent: t.field({ type: Agent, resolve: ({ agent }) => agent }) }) },
);

builder.relayMutationField(
  "setAgentLabels",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      labels: t.field({
        type: "JSON",
        required: true,
        description: "All of its labels: an object of at most 32 short strings.",
      }),
    }),
  },
  {
    description:
      "Replaces an agent's labels, by which policies, budgets and stops mean it. Requires the password again. For admins.",
    resolve: async (_root, { input: { id, labels } }, ctx) => ({
      // setAgentLabels() validates the shape.
      agent: await setAgentLabels(ctx, {
        id: fromGlobalId("id", "Agent", id),
        labels: labels as Record<string, string>,
      }),
    }),
  },
  { outputFields: (t) => ({ agent: t.field({ type: Agent, resolve: ({ agent }) => agent }) }) },
);

builder.relayMutationField(
  "setAgentCapture",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      captureContent: t.field({
        type: CaptureContentEnum,
        description: "Null for what the workspace's setting says.",
      }),
    }),
  },
  {
    description:
      "Sets what is stored from now on of prompts, answers and arguments in an agent's traces: never more than the " +
      "workspace's setting says. Requires the password again. For admins.",
    resolve: async (_root, { input: { id, captureContent = null } }, ctx) => ({
      agent: await setAgentCapture(ctx, { id: fromGlobalId("id", "Agent", id), captureContent }),
    }),
  },
  { outputFields: (t) => ({ agent: t.field({ type: Agent, resolve: ({ agent }) => agent }) }) },
);

builder.relayMutationField(
  "archiveAgent",
  { inputFields: (t) => ({ id: t.id({ required: true }) }) },
  {
    description:
      "Archives an agent: its tokens are revoked and it gets no more work. Only an identity provider can restore it. For admins.",
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
    }),
  },
  {
    description:
      "Updates the calling agent's own profile and capabilities. Fields that are left out don't change.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, version, description, ...fields } = input;
      // updateSelf() validates the shape. For these two fields null removes the value.
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
    description: "Reports that the calling agent is online, and its status.",
    resolve: (_root, _args, ctx) => heartbeatAgent(ctx),
  },
  {
    outputFields: (t) => ({
      controlState: t.expose("controlState", { type: ControlStateEnum }),
      emergencyStop: t.exposeBoolean("emergencyStop", {
        description: "Whether an emergency stop covers the agent.",
      }),
      pendingCommands: t.exposeInt("pendingCommands", {
        description: "The number of unacknowledged commands.",
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
    description: "Pauses, stops or resumes an agent immediately. For operators.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, id, ...fields } = input;
      return { agent: await setAgentControlState(ctx, { ...fields, id: fromGlobalId("id", "Agent", id) }) };
    },
  },
  { outputFields: (t) => ({ agent: t.field({ type: Agent, resolve: ({ agent }) => agent }) }) },
);

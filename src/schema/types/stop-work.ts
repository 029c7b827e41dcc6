import { emergencyStop } from "../../domain/stops/emergency-stop.ts";
import { releaseEmergencyStop, releaseStop } from "../../domain/stops/release-stop.ts";
import { resumeAgents } from "../../domain/stops/resume-agents.ts";
import { builder } from "../builder.ts";
import { fromGlobalId } from "../global-id.ts";
import { AgentSelector } from "./agent-command-work.ts";
import { StopType } from "./stop.ts";
import { Workspace } from "./workspace.ts";

const REASON = "1 to 2,000 characters.";

builder.relayMutationField(
  "emergencyStop",
  {
    inputFields: (t) => ({
      reason: t.string({ required: true, description: REASON }),
      scope: t.field({
        type: AgentSelector,
        description: "The agents to stop. Default: all of the workspace.",
      }),
    }),
  },
  {
    description: "Stops agents immediately. Not a safety function. For operators.",
    resolve: (_root, { input: { reason, scope } }, ctx) =>
      emergencyStop(ctx, {
        reason,
        // The use case validates the labels.
        scope: scope && { kind: scope.kind, labels: scope.labels as Record<string, string> | null },
      }),
  },
  {
    outputFields: (t) => ({
      workspace: t.field({ type: Workspace, resolve: ({ workspace }) => workspace }),
      stop: t.field({ type: StopType, resolve: ({ stop }) => stop }),
    }),
  },
);

const ResumedAgents = builder.inputType("ResumedAgents", {
  description: "Some agents of a stop. Give one of the fields.",
  fields: (t) => ({
    ids: t.idList({ description: "Their ids, at most 500." }),
    labels: t.field({ type: "JSON", description: "Those that have all of these labels." }),
    percent: t.int({ description: "1 to 100. The same agents each time, and with a larger number more." }),
  }),
});

builder.relayMutationField(
  "resumeAgents",
  {
    inputFields: (t) => ({
      id: t.id({ required: true, description: "The stop." }),
      agents: t.field({ type: ResumedAgents, required: true }),
      reason: t.string({ required: true, description: REASON }),
    }),
  },
  {
    description: "Resumes some agents of a stop. The others stay stopped. For admins.",
    resolve: async (_root, { input: { id, agents, reason } }, ctx) => ({
      stop: await resumeAgents(ctx, {
        id: fromGlobalId("id", "Stop", id),
        agents: {
          ids: agents.ids?.map((agentId) => fromGlobalId("agents.ids", "Agent", agentId)),
          // The use case validates the labels.
          labels: agents.labels as Record<string, string> | null | undefined,
          percent: agents.percent,
        },
        reason,
      }),
    }),
  },
  { outputFields: (t) => ({ stop: t.field({ type: StopType, resolve: ({ stop }) => stop }) }) },
);

builder.relayMutationField(
  "releaseStop",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      reason: t.string({ required: true, description: REASON }),
    }),
  },
  {
    description: "Releases one stop. For admins.",
    resolve: (_root, { input: { id, reason } }, ctx) =>
      releaseStop(ctx, { id: fromGlobalId("id", "Stop", id), reason }),
  },
  {
    outputFields: (t) => ({
      workspace: t.field({ type: Workspace, resolve: ({ workspace }) => workspace }),
      stop: t.field({ type: StopType, resolve: ({ stop }) => stop }),
    }),
  },
);

builder.relayMutationField(
  "releaseEmergencyStop",
  { inputFields: (t) => ({ reason: t.string({ required: true, description: REASON }) }) },
  {
    description: "Releases all stops that stand. For admins.",
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

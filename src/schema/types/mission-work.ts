import { cancelMission } from "../../domain/missions/cancel-mission.ts";
import { createMission } from "../../domain/missions/create-mission.ts";
import { pauseMission, resumeMission } from "../../domain/missions/pause-mission.ts";
import { reportMissionProgress } from "../../domain/missions/report-mission-progress.ts";
import { retryMissionStep, skipMissionStep } from "../../domain/missions/steer-step.ts";
import type { SteeredMission } from "../../domain/missions/steer-mission.ts";
import { builder } from "../builder.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { omitNulls } from "../omit-nulls.ts";
import { AgentCommand } from "./agent-command.ts";
import { AgentKindEnum } from "./agent.ts";
import { Mission, MissionKindEnum, MissionStepStatusEnum, MissionStepTypeEnum } from "./mission.ts";

const REASON = "1 to 2,000 characters.";
const IF_GENERATION = "Fails with `precondition_failed` unless the mission's generation is one of these.";

export const NewMissionStep = builder.inputType("NewMissionStep", {
  fields: (t) => ({
    key: t.string({
      required: true,
      description: "Identifies the step in the mission, such as `drive-to-dock`.",
    }),
    type: t.field({ type: MissionStepTypeEnum, required: true }),
    params: t.field({
      type: "JSON",
      description: "An object. All steps' params together take at most 48 KiB.",
    }),
  }),
});

export const RobotSelector = builder.inputType("RobotSelector", {
  description: "Which robots the mission may be assigned to.",
  fields: (t) => ({
    kind: t.field({ type: AgentKindEnum, description: "Only `ROBOT` is allowed." }),
    fleet: t.string({ description: "The fleet's full name." }),
    labels: t.field({ type: "JSON", description: "Only robots that have all of these labels." }),
  }),
});

const ReportedStep = builder.inputType("ReportedMissionStep", {
  fields: (t) => ({
    key: t.string({ required: true }),
    status: t.field({
      type: MissionStepStatusEnum,
      required: true,
      description: "`SKIPPED` is not allowed: only operators skip steps.",
    }),
    result: t.field({ type: "JSON", description: "At most 16 KiB." }),
    error: t.field({
      type: "JSON",
      description: "For a failed or retriable step: what went wrong, such as `type`, `level` and `detail`.",
    }),
  }),
});

const MissionReportStatusEnum = addEnum(
  "MissionReportStatus",
  {
    running: "running",
    paused: "paused",
    completed: "completed",
    failed: "failed",
    canceled: "canceled",
  } as const,
  "The mission statuses that a robot can report.",
);

/** Drops `clientMutationId` and converts the mission's Relay id to its uuid. */
function toDomainInput<Input extends { id: string; clientMutationId?: string | null }>(input: Input) {
  const { clientMutationId: _id, id, ...rest } = input;
  return { ...rest, id: fromGlobalId("id", "Mission", id) };
}

builder.relayMutationField(
  "createMission",
  {
    inputFields: (t) => ({
      title: t.string({ required: true, description: "1 to 200 characters." }),
      kind: t.field({ type: MissionKindEnum, required: true }),
      robotId: t.id({ description: "The robot to assign the mission to." }),
      selector: t.field({
        type: RobotSelector,
        description: "The robots that the mission may be assigned to. Default: any robot.",
      }),
      steps: t.field({ type: [NewMissionStep], required: true, description: "1 to 100." }),
      priority: t.int({ description: "0 to 9. Default 5." }),
      minBatteryPercent: t.float({ description: "The least battery level for the robot, 0 to 100." }),
      estimatedDurationSeconds: t.int({ description: "1 to 2,592,000." }),
      deadlineAt: t.field({ type: "DateTime", description: "After this time the mission expires or fails." }),
      taskId: t.id({ description: "The task that the mission is part of." }),
      contextId: t.field({ type: "UUID", description: "Default: the task's context, or a new one." }),
    }),
  },
  {
    description:
      "Creates a mission and assigns it to a robot, or queues it until one is free. Where policies ask, it waits for people first.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, robotId, selector, steps, taskId, title, kind, ...rest } = input;
      const mission = await createMission(ctx, {
        ...omitNulls(rest),
        title,
        kind,
        robotId: fromOptionalGlobalId("robotId", "Robot", robotId),
        taskId: fromOptionalGlobalId("taskId", "Task", taskId),
        // createMission() validates the shape.
        selector: selector as Parameters<typeof createMission>[1]["selector"],
        steps: steps.map(
          // createMission() validates the shape.
          (step) => omitNulls(step) as Parameters<typeof createMission>[1]["steps"][number],
        ),
      });
      return { mission };
    },
  },
  { outputFields: (t) => ({ mission: t.field({ type: Mission, resolve: ({ mission }) => mission }) }) },
);

builder.relayMutationField(
  "pauseMission",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      reason: t.string({ description: REASON }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description: "Pauses a running mission and sends its robot a command.",
    resolve: (_root, { input }, ctx) => pauseMission(ctx, toDomainInput(input)),
  },
  {
    outputFields: (t) => ({
      mission: t.field({ type: Mission, resolve: ({ mission }) => mission }),
      agentCommand: t.field({ type: AgentCommand, nullable: true, resolve: getCommand }),
    }),
  },
);

builder.relayMutationField(
  "resumeMission",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      reason: t.string({ description: REASON }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description: "Resumes a paused mission and sends its robot a command.",
    resolve: (_root, { input }, ctx) => resumeMission(ctx, toDomainInput(input)),
  },
  {
    outputFields: (t) => ({
      mission: t.field({ type: Mission, resolve: ({ mission }) => mission }),
      agentCommand: t.field({ type: AgentCommand, nullable: true, resolve: getCommand }),
    }),
  },
);

builder.relayMutationField(
  "cancelMission",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      reason: t.string({ description: REASON }),
      force: t.boolean({ description: "Cancels immediately, without waiting for the robot's confirmation." }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description:
      "Cancels a mission: immediately if its robot has not started it, otherwise when the robot " +
      "confirms or after 60 seconds.",
    resolve: (_root, { input }, ctx) => cancelMission(ctx, toDomainInput(input)),
  },
  {
    outputFields: (t) => ({
      mission: t.field({ type: Mission, resolve: ({ mission }) => mission }),
      agentCommand: t.field({ type: AgentCommand, nullable: true, resolve: getCommand }),
    }),
  },
);

builder.relayMutationField(
  "retryMissionStep",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      stepKey: t.string({ required: true }),
      reason: t.string({ description: REASON }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description: "Retries a retriable step.",
    resolve: (_root, { input }, ctx) => retryMissionStep(ctx, toDomainInput(input)),
  },
  {
    outputFields: (t) => ({
      mission: t.field({ type: Mission, resolve: ({ mission }) => mission }),
      agentCommand: t.field({ type: AgentCommand, nullable: true, resolve: getCommand }),
    }),
  },
);

builder.relayMutationField(
  "skipMissionStep",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      stepKey: t.string({ required: true }),
      reason: t.string({ description: REASON }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description: "Skips a step that is not finished. The robot continues with the next one.",
    resolve: (_root, { input }, ctx) => skipMissionStep(ctx, toDomainInput(input)),
  },
  {
    outputFields: (t) => ({
      mission: t.field({ type: Mission, resolve: ({ mission }) => mission }),
      agentCommand: t.field({ type: AgentCommand, nullable: true, resolve: getCommand }),
    }),
  },
);

function getCommand({ command }: SteeredMission) {
  return command;
}

builder.relayMutationField(
  "reportMissionProgress",
  {
    inputFields: (t) => ({
      id: t.id({ required: true }),
      steps: t.field({ type: [ReportedStep], description: "The steps that have changed, or all steps." }),
      status: t.field({
        type: MissionReportStatusEnum,
        description: "Optional: the mission's status follows from its steps.",
      }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description: "Reports the progress of a mission, by its robot. The first report starts the mission.",
    resolve: async (_root, { input }, ctx) => {
      const { steps, ...call } = toDomainInput(input);
      return { mission: await reportMissionProgress(ctx, { ...call, steps: steps ?? [] }) };
    },
  },
  { outputFields: (t) => ({ mission: t.field({ type: Mission, resolve: ({ mission }) => mission }) }) },
);

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
const IF_GENERATION = "Refused where the mission is of none of these generations.";

const NewMissionStep = builder.inputType("NewMissionStep", {
  fields: (t) => ({
    key: t.string({ required: true, description: "Its name in the mission, such as `drive-to-dock`." }),
    type: t.field({ type: MissionStepTypeEnum, required: true }),
    params: t.field({ type: "JSON", description: "An object; all steps' together at most 48 KiB." }),
  }),
});

const RobotSelector = builder.inputType("RobotSelector", {
  description: "Robots that a mission may be assigned to.",
  fields: (t) => ({
    kind: t.field({ type: AgentKindEnum, description: "`ROBOT`: all missions are theirs." }),
    fleet: t.string({ description: "The fleet's whole name." }),
    labels: t.field({ type: "JSON", description: "Labels that the robot has, among others." }),
  }),
});

const ReportedStep = builder.inputType("ReportedMissionStep", {
  fields: (t) => ({
    key: t.string({ required: true }),
    status: t.field({
      type: MissionStepStatusEnum,
      required: true,
      description: "`SKIPPED` is for operators to say.",
    }),
    result: t.field({ type: "JSON", description: "At most 16 KiB." }),
    error: t.field({
      type: "JSON",
      description: "What went wrong, such as `type`, `level` and `detail`, of a failed or retriable one.",
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
  "What a robot can say of its mission as a whole.",
);

/** A call about a mission with its id as the domain has it. */
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
      robotId: t.id({ description: "The robot that is to do it." }),
      selector: t.field({ type: RobotSelector, description: "Or any that this names; else any at all." }),
      steps: t.field({ type: [NewMissionStep], required: true, description: "1 to 100." }),
      priority: t.int({ description: "0 to 9; 5 where it is left out." }),
      minBatteryPercent: t.float({ description: "What its robot's battery must have, 0 to 100." }),
      estimatedDurationSeconds: t.int({ description: "1 to 2,592,000." }),
      deadlineAt: t.field({ type: "DateTime", description: "After it, the mission expires or fails." }),
      taskId: t.id({ description: "The task that it is a part of." }),
      contextId: t.field({ type: "UUID", description: "Its task's, or a new one, where it is left out." }),
    }),
  },
  {
    description: "Creates a mission and gives it to a robot, at once or as soon as one is free.",
    resolve: async (_root, { input }, ctx) => {
      const { clientMutationId: _id, robotId, selector, steps, taskId, title, kind, ...rest } = input;
      const mission = await createMission(ctx, {
        ...omitNulls(rest),
        title,
        kind,
        robotId: fromOptionalGlobalId("robotId", "Robot", robotId),
        taskId: fromOptionalGlobalId("taskId", "Task", taskId),
        // Held to its shape by the verb.
        selector: selector as Parameters<typeof createMission>[1]["selector"],
        steps: steps.map(
          // Held to its shape by the verb.
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
    description: "Pauses a running mission, and tells its robot.",
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
    description: "Lets a paused mission go on, and tells its robot.",
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
      force: t.boolean({ description: "Ends it now, without its robot's word." }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description:
      "Cancels a mission: at once where its robot has not begun it, else when the robot confirms, within 60 seconds.",
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
    description: "Lets a robot try a retriable step again.",
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
    description: "Skips a step that is not done: the robot goes on with the next.",
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
      steps: t.field({ type: [ReportedStep], description: "Those that have changed, or all." }),
      status: t.field({
        type: MissionReportStatusEnum,
        description: "Not needed: the mission completes or fails with its steps.",
      }),
      ifGeneration: t.intList({ description: IF_GENERATION }),
    }),
  },
  {
    description: "Tells how the mission stands that the calling robot was given. The first report starts it.",
    resolve: async (_root, { input }, ctx) => {
      const { steps, ...call } = toDomainInput(input);
      return { mission: await reportMissionProgress(ctx, { ...call, steps: steps ?? [] }) };
    },
  },
  { outputFields: (t) => ({ mission: t.field({ type: Mission, resolve: ({ mission }) => mission }) }) },
);

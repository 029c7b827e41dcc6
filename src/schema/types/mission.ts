import { MissionKind, MissionStatus, MissionStepStatus, MissionStepType } from "../../db/generated/enums.ts";
import { listMissions } from "../../domain/missions/list-missions.ts";
import { type Dispatch, readDispatches } from "../../domain/missions/read-dispatches.ts";
import { type ShownStep, readMissionSteps } from "../../domain/missions/read-mission-steps.ts";
import { readMission } from "../../domain/missions/read-mission.ts";
import { readRobots } from "../../domain/missions/read-robots.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId, fromOptionalGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { toActorRecord } from "./actor.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { Robot } from "./robot.ts";

export const MissionKindEnum = addEnum("MissionKind", MissionKind, "The purpose of a mission.");
const MissionStatusEnum = addEnum(
  "MissionStatus",
  MissionStatus,
  "The status of a mission. AWAITING_APPROVAL: people are asked, and it is assigned once they approve.",
);

export const MissionStepTypeEnum = addEnum(
  "MissionStepType",
  MissionStepType,
  "What a robot does in a step.",
);

export const MissionStepStatusEnum = addEnum(
  "MissionStepStatus",
  MissionStepStatus,
  "The status of a step. A retriable step waits for an operator. @see VDA 5050 actionStatus.",
);

const MissionStep = builder.objectRef<ShownStep>("MissionStep").implement({
  description: "One step of a mission.",
  fields: (t) => ({
    seq: t.exposeInt("seq", { description: "The step's position, from 1." }),
    key: t.exposeString("key", { description: "Identifies the step in the mission." }),
    type: t.expose("type", { type: MissionStepTypeEnum }),
    params: t.expose("params", { type: "JSON" }),
    status: t.expose("status", { type: MissionStepStatusEnum }),
    result: t.expose("result", { type: "JSON", nullable: true }),
    error: t.expose("error", { type: "JSON", nullable: true }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
  }),
});

const MissionDispatch = builder.objectRef<Dispatch>("MissionDispatch").implement({
  description: "How a mission is assigned to a robot.",
  fields: (t) => ({
    requestedRobotUuid: t.expose("requestedRobotId", {
      type: "UUID",
      nullable: true,
      description:
        "The robot that was chosen when the mission was created. Null if it is assigned automatically.",
    }),
    allowedRobotUuids: t.expose("allowedRobotIds", {
      type: ["UUID"],
      description:
        "The robots for which policies allow it, or people are asked. Empty if no policy is for it, or if a robot was chosen.",
    }),
    allowedRobots: t.field({
      type: [AgentNameType],
      description: "Their names. Empty for callers who may not read agents.",
      resolve: async ({ allowedRobotIds }, _args, ctx) => {
        const names = await Promise.all(allowedRobotIds.map((id) => findAgentName(ctx, id)));
        return names.filter((name) => name !== null);
      },
    }),
    attempts: t.exposeInt("attempts", {
      description: "How often a robot did not accept it. The mission fails at the third time.",
    }),
    assignedAt: t.expose("assignedAt", { type: "DateTime", nullable: true }),
    startCommandUuid: t.expose("startCommandId", {
      type: "UUID",
      nullable: true,
      description: "The command that sent the mission to its robot.",
    }),
  }),
});

const loadMissionSteps = createBatchLoader(readMissionSteps);
const loadDispatch = createBatchLoader(readDispatches);
const loadRobot = createBatchLoader(readRobots);

export const Mission = builder.prismaNode("Mission", {
  ...workspaceNode,
  description: "Work for a robot, step by step.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    title: t.exposeString("title"),
    kind: t.expose("kind", { type: MissionKindEnum }),
    robotUuid: t.expose("robotId", { type: "UUID", nullable: true }),
    selector: t.expose("selector", { type: "JSON", nullable: true }),
    minBatteryPercent: t.exposeFloat("minBatteryPercent", { nullable: true, description: "0 to 100." }),
    priority: t.exposeInt("priority", { description: "0 to 9. Missions with 9 are assigned first." }),
    status: t.expose("status", { type: MissionStatusEnum }),
    progress: t.exposeFloat("progress", { description: "The share of finished and skipped steps, 0 to 1." }),
    estimatedDurationSeconds: t.exposeInt("estimatedDurationSeconds", { nullable: true }),
    deadlineAt: t.expose("deadlineAt", { type: "DateTime", nullable: true }),
    cancelRequestedAt: t.expose("cancelRequestedAt", { type: "DateTime", nullable: true }),
    error: t.expose("error", { type: "JSON", nullable: true }),
    taskUuid: t.expose("taskId", { type: "UUID", nullable: true }),
    contextId: t.expose("contextId", { type: "UUID", nullable: true }),
    decisionUuid: t.expose("decisionId", {
      type: "UUID",
      nullable: true,
      description: "What policies decided. Null if none is for such a mission.",
    }),
    approvalUuid: t.expose("approvalId", {
      type: "UUID",
      nullable: true,
      description: "The question to people, if policies asked them.",
    }),
    traceId: t.exposeString("traceId", { nullable: true }),
    createdBy: t.field({ type: "Actor", resolve: (mission) => toActorRecord(mission.createdBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
  }),
});

builder.prismaObjectFields(Mission, (t) => ({
  steps: t.field({
    type: [MissionStep],
    description: "Ordered by position.",
    resolve: async ({ id }, _args, ctx) => (await loadMissionSteps(ctx, id)) ?? [],
  }),
  robot: t.field({
    type: Robot,
    nullable: true,
    description: "The robot that the mission is or was last assigned to.",
    resolve: async ({ robotId }, _args, ctx) =>
      robotId === null ? null : ((await loadRobot(ctx, robotId)) ?? null),
  }),
  dispatch: t.field({
    type: MissionDispatch,
    nullable: true,
    resolve: async ({ id }, _args, ctx) => (await loadDispatch(ctx, id)) ?? null,
  }),
}));

const MissionFilter = builder.inputType("MissionFilter", {
  fields: (t) => ({
    status: t.field({ type: MissionStatusEnum }),
    robotId: t.id({ description: "Only missions that are or were last assigned to this robot." }),
    kind: t.field({ type: MissionKindEnum }),
  }),
});

builder.queryFields((t) => ({
  mission: t.prismaField({
    type: Mission,
    description: "One mission. With `currentGeneration`, waits until the mission changes.",
    args: {
      id: t.arg.id({ required: true }),
      currentGeneration: t.arg.int({
        description: "The generation that the caller has: waits for a different one.",
      }),
      waitSeconds: t.arg.int({ description: "How long to wait for a change, 0 to 25." }),
    },
    resolve: (query, _root, { id, ...known }, ctx) =>
      readMission(ctx, { id: fromGlobalId("id", "Mission", id), ...known }, query),
  }),
  missions: t.connection({
    type: Mission,
    description: "The workspace's missions, newest first.",
    args: {
      offset: t.arg.int(),
      all: t.arg.boolean({ description: "Pages of 1,000 rows. Ignored with `first` or `last`." }),
      filter: t.arg({ type: MissionFilter }),
    },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) => {
      const robotId = fromOptionalGlobalId("robotId", "Robot", filter?.robotId);
      return toConnection(await listMissions(ctx, page, { ...filter, robotId }));
    },
  }),
}));

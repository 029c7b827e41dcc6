import { MissionKind, MissionStatus } from "../../db/generated/enums.ts";
import { listMissions } from "../../domain/missions/list-missions.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { enumOf } from "../enum.ts";
import { workspaceNode } from "../node.ts";
import { actorOf } from "./actor.ts";

const MissionKindEnum = enumOf("MissionKind", MissionKind, "What a mission is for.");
const MissionStatusEnum = enumOf("MissionStatus", MissionStatus, "Where a mission stands.");

const Mission = builder.prismaNode("Mission", {
  ...workspaceNode,
  description: "A robot's errand, step by step.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    title: t.exposeString("title"),
    kind: t.expose("kind", { type: MissionKindEnum }),
    robotUuid: t.expose("robotId", { type: "UUID", nullable: true }),
    selector: t.expose("selector", { type: "JSON", nullable: true }),
    minBatteryPercent: t.exposeFloat("minBatteryPercent", { nullable: true, description: "0 to 100." }),
    priority: t.exposeInt("priority", { description: "0 to 9; 9 goes first." }),
    status: t.expose("status", { type: MissionStatusEnum }),
    progress: t.exposeFloat("progress", { description: "Finished steps of all, 0 to 1." }),
    estimatedDurationSeconds: t.exposeInt("estimatedDurationSeconds", { nullable: true }),
    deadlineAt: t.expose("deadlineAt", { type: "DateTime", nullable: true }),
    cancelRequestedAt: t.expose("cancelRequestedAt", { type: "DateTime", nullable: true }),
    error: t.expose("error", { type: "JSON", nullable: true }),
    taskUuid: t.expose("taskId", { type: "UUID", nullable: true }),
    contextId: t.expose("contextId", { type: "UUID", nullable: true }),
    traceId: t.exposeString("traceId", { nullable: true }),
    createdBy: t.field({ type: "Actor", resolve: (mission) => actorOf(mission.createdBy) }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
    startedAt: t.expose("startedAt", { type: "DateTime", nullable: true }),
    finishedAt: t.expose("finishedAt", { type: "DateTime", nullable: true }),
  }),
});

const MissionFilter = builder.inputType("MissionFilter", {
  fields: (t) => ({ status: t.field({ type: MissionStatusEnum }) }),
});

builder.queryFields((t) => ({
  missions: t.connection({
    type: Mission,
    description: "The workspace's missions, newest first.",
    args: {
      offset: t.arg.int(),
      all: t.arg.boolean({ description: "The whole list, where no size is given." }),
      filter: t.arg({ type: MissionFilter }),
    },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listMissions(ctx, page, { status: filter?.status })),
  }),
}));

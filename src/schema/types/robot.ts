import type { RobotSample as Sample } from "../../db/generated/client.ts";
import { EmergencyStop, OperatingMode, RobotStatus } from "../../db/generated/enums.ts";
import { listRobotSamples } from "../../domain/robots/list-robot-samples.ts";
import { listRobots } from "../../domain/robots/list-robots.ts";
import { readRobot } from "../../domain/robots/read-robot.ts";
import { readControlStates } from "../../domain/stops/read-control-states.ts";
import { createBatchLoader } from "../batch-loader.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { ControlStateEnum } from "./agent.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { StopStateEnum, loadStopState } from "./stop-state.ts";

export const RobotStatusEnum = addEnum(
  "RobotStatus",
  RobotStatus,
  "What a robot does, worked out from its reports: the first that holds. Offline after 45 s without any.",
);
export const OperatingModeEnum = addEnum(
  "OperatingMode",
  OperatingMode,
  "Who drives. @see VDA 5050 operatingMode.",
);
export const EmergencyStopEnum = addEnum(
  "EmergencyStop",
  EmergencyStop,
  "How a robot was stopped, as it reports.",
);

const RobotSample = builder.objectRef<Sample>("RobotSample").implement({
  description: "How a robot did in one half minute.",
  fields: (t) => ({
    at: t.expose("at", { type: "DateTime", description: "The half minute's beginning." }),
    status: t.expose("status", { type: RobotStatusEnum }),
    batteryPercent: t.exposeFloat("batteryPercent", { nullable: true, description: "0 to 100." }),
    position: t.expose("position", { type: "JSON", nullable: true }),
  }),
});

const loadControlState = createBatchLoader(readControlStates);

/** The type of a robot, for the operations in other files. */
export const Robot = builder.prismaNode("Robot", {
  ...workspaceNode,
  description: "An agent of kind robot, as it last reported itself. Its uuid is the agent's.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "What it is called; null without agents:read.",
      resolve: ({ id }, _args, ctx) => findAgentName(ctx, id),
    }),
    manufacturer: t.exposeString("manufacturer", { nullable: true }),
    model: t.exposeString("model", { nullable: true }),
    serialNumber: t.exposeString("serialNumber", { nullable: true }),
    fleet: t.exposeString("fleet", { nullable: true }),
    operatingMode: t.expose("operatingMode", { type: OperatingModeEnum }),
    status: t.expose("status", { type: RobotStatusEnum }),
    batteryPercent: t.exposeFloat("batteryPercent", { nullable: true, description: "0 to 100." }),
    charging: t.exposeBoolean("charging"),
    position: t.expose("position", { type: "JSON", nullable: true }),
    velocity: t.expose("velocity", { type: "JSON", nullable: true }),
    driving: t.exposeBoolean("driving"),
    paused: t.exposeBoolean("paused"),
    emergencyStop: t.expose("emergencyStop", { type: EmergencyStopEnum }),
    fieldViolation: t.exposeBoolean("fieldViolation"),
    errors: t.expose("errors", { type: "JSON" }),
    loads: t.expose("loads", { type: "JSON" }),
    acceptsMissions: t.exposeBoolean("acceptsMissions"),
    currentMissionUuid: t.expose("currentMissionId", { type: "UUID", nullable: true }),
    stateSeq: t.field({ type: "Float", resolve: (robot) => Number(robot.stateSeq) }),
    stateAt: t.expose("stateAt", { type: "DateTime", nullable: true, description: "Its last report." }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", {
      type: "DateTime",
      description: "Its last change; telemetry is none.",
    }),
    samples: t.field({
      type: [RobotSample],
      description: "One for each half minute in which it reported, oldest first. They are kept for 7 days.",
      args: {
        from: t.arg({
          type: "DateTime",
          description: "At most 24 hours before `to`; an hour where it is left out.",
        }),
        to: t.arg({ type: "DateTime", description: "The present where it is left out." }),
      },
      // As many as two hours have: each robot of a list costs a statement.
      complexity: { field: 1, multiplier: 240 },
      resolve: ({ id }, range, ctx) => listRobotSamples(ctx, id, range),
    }),
  }),
});

builder.prismaObjectFields(Robot, (t) => ({
  controlState: t.field({
    type: ControlStateEnum,
    description: "What it may do: STOPPED for all under an emergency stop.",
    resolve: async ({ id }, _args, ctx) => (await loadControlState(ctx, id)) ?? "stopped",
  }),
  stopState: t.field({
    type: StopStateEnum,
    nullable: true,
    description:
      "Whether it has confirmed the emergency stop; null without one. What it does until then, its status tells.",
    resolve: async ({ id }, _args, ctx) => (await loadStopState(ctx, id)) ?? null,
  }),
}));

const RobotFilter = builder.inputType("RobotFilter", {
  fields: (t) => ({
    status: t.field({ type: RobotStatusEnum }),
    controlState: t.field({
      type: ControlStateEnum,
      description: "What it may do: STOPPED finds all under an emergency stop.",
    }),
    fleet: t.string({ description: "The fleet's whole name." }),
    search: t.string({
      description: "Part of its name, handle, manufacturer, model or serial number; 1 to 100 characters.",
    }),
  }),
});

builder.queryFields((t) => ({
  robot: t.prismaField({
    type: Robot,
    description: "One robot.",
    args: { id: t.arg.id({ required: true }) },
    resolve: (query, _root, { id }, ctx) => readRobot(ctx, fromGlobalId("id", "Robot", id), query),
  }),
  robots: t.connection({
    type: Robot,
    description: "The workspace's robots, newest first.",
    args: {
      offset: t.arg.int(),
      all: t.arg.boolean({ description: "The whole list, where no size is given." }),
      filter: t.arg({ type: RobotFilter }),
    },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listRobots(ctx, page, filter ?? {})),
  }),
}));

import type { RobotSample as Sample } from "../../db/generated/client.ts";
import { EmergencyStop, OperatingMode, RobotStatus } from "../../db/generated/enums.ts";
import { listRobotSamples } from "../../domain/robots/list-robot-samples.ts";
import { listRobots } from "../../domain/robots/list-robots.ts";
import { readRobot } from "../../domain/robots/read-robot.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { addEnum } from "../enum.ts";
import { fromGlobalId } from "../global-id.ts";
import { workspaceNode } from "../node.ts";
import { ControlStateEnum } from "./agent.ts";
import { AgentNameType, findAgentName } from "./agent-name.ts";
import { StopStateEnum, loadControlState, loadStopState } from "./stop-state.ts";

export const RobotStatusEnum = addEnum(
  "RobotStatus",
  RobotStatus,
  "A robot's status, derived from its reports: the first that applies. OFFLINE after 45 s without a " +
    "report.",
);
export const OperatingModeEnum = addEnum(
  "OperatingMode",
  OperatingMode,
  "Who controls the robot. @see VDA 5050 operatingMode.",
);
export const EmergencyStopEnum = addEnum(
  "EmergencyStop",
  EmergencyStop,
  "How the robot was stopped, as it reports.",
);

const RobotSample = builder.objectRef<Sample>("RobotSample").implement({
  description: "A robot's state during one half minute.",
  fields: (t) => ({
    at: t.expose("at", { type: "DateTime", description: "The start of the half minute." }),
    status: t.expose("status", { type: RobotStatusEnum }),
    batteryPercent: t.exposeFloat("batteryPercent", { nullable: true, description: "0 to 100." }),
    position: t.expose("position", { type: "JSON", nullable: true }),
  }),
});

export const Robot = builder.prismaNode("Robot", {
  ...workspaceNode,
  description: "An agent of kind robot, as last reported. Its uuid is the agent's.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
    agent: t.field({
      type: AgentNameType,
      nullable: true,
      description: "The agent's name. Null without agents:read.",
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
    stateAt: t.expose("stateAt", { type: "DateTime", nullable: true, description: "When it last reported." }),
    generation: t.exposeInt("generation"),
    createdAt: t.expose("createdAt", { type: "DateTime" }),
    updatedAt: t.expose("updatedAt", {
      type: "DateTime",
      description: "The last change, not counting telemetry.",
    }),
    samples: t.field({
      type: [RobotSample],
      description: "One sample for each half minute with a report, oldest first. Kept for 7 days.",
      args: {
        from: t.arg({
          type: "DateTime",
          description: "At most 24 hours before `to`. Default: one hour before it.",
        }),
        to: t.arg({ type: "DateTime", description: "Default: now." }),
      },
      // The samples of two hours: in a list, each robot needs its own statement.
      complexity: { field: 1, multiplier: 240 },
      resolve: ({ id }, range, ctx) => listRobotSamples(ctx, id, range),
    }),
  }),
});

builder.prismaObjectFields(Robot, (t) => ({
  controlState: t.field({
    type: ControlStateEnum,
    description: "What the robot may do: STOPPED if an emergency stop covers it.",
    resolve: async ({ id }, _args, ctx) => (await loadControlState(ctx, id)) ?? "stopped",
  }),
  stopState: t.field({
    type: StopStateEnum,
    nullable: true,
    description:
      "Whether the robot has confirmed the stops that cover it. Null if there is none. Its actual behaviour " +
      "is in `status`.",
    resolve: async ({ id }, _args, ctx) => (await loadStopState(ctx, id)) ?? null,
  }),
}));

const RobotFilter = builder.inputType("RobotFilter", {
  fields: (t) => ({
    status: t.field({ type: RobotStatusEnum }),
    controlState: t.field({
      type: ControlStateEnum,
      description: "The effective control state: STOPPED matches those that an emergency stop covers too.",
    }),
    fleet: t.string({ description: "The fleet's full name." }),
    search: t.string({
      description: "A part of the name, handle, manufacturer, model or serial number, 1 to 100 characters.",
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
      all: t.arg.boolean({ description: "Pages of 1,000 rows. Ignored with `first` or `last`." }),
      filter: t.arg({ type: RobotFilter }),
    },
    complexity: pageComplexity,
    resolve: async (_root, { filter, ...page }, ctx) =>
      toConnection(await listRobots(ctx, page, filter ?? {})),
  }),
}));

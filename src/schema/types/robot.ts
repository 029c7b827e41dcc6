import { EmergencyStop, OperatingMode, RobotStatus } from "../../db/generated/enums.ts";
import { listRobots } from "../../domain/robots/list-robots.ts";
import { builder } from "../builder.ts";
import { pageComplexity, toConnection } from "../connection.ts";
import { enumOf } from "../enum.ts";
import { workspaceNode } from "../node.ts";

const RobotStatusEnum = enumOf("RobotStatus", RobotStatus, "What a robot does, worked out from its reports.");
const OperatingModeEnum = enumOf("OperatingMode", OperatingMode, "Who drives. @see VDA 5050 operatingMode.");
const EmergencyStopEnum = enumOf("EmergencyStop", EmergencyStop, "How a robot was stopped, as it reports.");

const Robot = builder.prismaNode("Robot", {
  ...workspaceNode,
  description: "An agent of kind robot, as it last reported itself. Its uuid is the agent's.",
  fields: (t) => ({
    uuid: t.expose("id", { type: "UUID" }),
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
    updatedAt: t.expose("updatedAt", { type: "DateTime" }),
  }),
});

builder.queryFields((t) => ({
  robots: t.connection({
    type: Robot,
    description: "The workspace's robots, newest first.",
    args: {
      offset: t.arg.int(),
      all: t.arg.boolean({ description: "The whole list, where no size is given." }),
    },
    complexity: pageComplexity,
    resolve: async (_root, page, ctx) => toConnection(await listRobots(ctx, page)),
  }),
}));

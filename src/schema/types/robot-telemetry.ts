import type { RobotTelemetry as Telemetry } from "../../domain/robots/robot-telemetry.ts";
import { streamRobotTelemetry } from "../../domain/robots/stream-robot-telemetry.ts";
import { abortOnReturn } from "../abort-on-return.ts";
import { builder } from "../builder.ts";
import { fromGlobalId, toGlobalId } from "../global-id.ts";
import { EmergencyStopEnum, OperatingModeEnum, RobotStatusEnum } from "./robot.ts";

const RobotTelemetry = builder.objectRef<Telemetry>("RobotTelemetry").implement({
  description: "A robot's current state.",
  fields: (t) => ({
    robotId: t.id({ resolve: ({ id }) => toGlobalId("Robot", id) }),
    robotUuid: t.expose("id", { type: "UUID" }),
    status: t.expose("status", { type: RobotStatusEnum }),
    operatingMode: t.expose("operatingMode", { type: OperatingModeEnum }),
    batteryPercent: t.exposeFloat("batteryPercent", { nullable: true, description: "0 to 100." }),
    charging: t.exposeBoolean("charging"),
    position: t.expose("position", { type: "JSON", nullable: true }),
    velocity: t.expose("velocity", { type: "JSON", nullable: true }),
    driving: t.exposeBoolean("driving"),
    paused: t.exposeBoolean("paused"),
    emergencyStop: t.expose("emergencyStop", { type: EmergencyStopEnum }),
    fieldViolation: t.exposeBoolean("fieldViolation"),
    stateSeq: t.field({ type: "Float", resolve: ({ stateSeq }) => Number(stateSeq) }),
    stateAt: t.expose("stateAt", { type: "DateTime", nullable: true }),
  }),
});

const RobotTelemetryFrame = builder.objectRef<readonly Telemetry[]>("RobotTelemetryFrame").implement({
  description: "Robots whose state has changed, at most 50, each once.",
  fields: (t) => ({ robots: t.field({ type: [RobotTelemetry], resolve: (robots) => [...robots] }) }),
});

builder.subscriptionField("robotTelemetry", (t) =>
  t.field({
    type: RobotTelemetryFrame,
    description:
      "The state of robots: first the current state, then changes, at most once a second. Nothing is " +
      "replayed: a slow client gets the latest state only.",
    args: { robotIds: t.arg.idList({ description: "At most 500. Default: all robots." }) },
    subscribe: (_root, { robotIds }, ctx) => {
      const ids = robotIds?.map((id) => fromGlobalId("robotIds", "Robot", id)) ?? null;
      const ended = new AbortController();
      return abortOnReturn(streamRobotTelemetry(ctx, ids, ended.signal), ended);
    },
    resolve: (robots) => robots,
  }),
);

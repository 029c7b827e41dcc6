import type { ResultOf } from "gql.tada";
import { useState } from "react";
import { graphql } from "../../data/graphql.ts";
import { useStream } from "../../data/use-stream.ts";

const TelemetryFrames = graphql(`
  subscription RobotTelemetry($robotIds: [ID!]) {
    robotTelemetry(robotIds: $robotIds) {
      robots {
        robotUuid
        status
        operatingMode
        batteryPercent
        charging
        position
        velocity
        driving
        paused
        emergencyStop
        fieldViolation
        stateAt
      }
    }
  }
`);

/** A robot's latest telemetry. */
export type Telemetry = ResultOf<typeof TelemetryFrames>["robotTelemetry"]["robots"][number];

/** Live telemetry by UUID. All robots if `robotIds` is null. */
export function useTelemetry(robotIds: readonly string[] | null): ReadonlyMap<string, Telemetry> {
  const [newest, setNewest] = useState<ReadonlyMap<string, Telemetry>>(new Map());
  useStream(TelemetryFrames, { robotIds: robotIds === null ? null : [...robotIds] }, ({ robotTelemetry }) => {
    const changed = robotTelemetry.robots.map((robot) => [robot.robotUuid, robot] as const);
    setNewest((before) => new Map([...before, ...changed]));
  });
  return newest;
}

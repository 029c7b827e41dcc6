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

/** How a robot was when it last reported. */
export type Telemetry = ResultOf<typeof TelemetryFrames>["robotTelemetry"]["robots"][number];

/** What robots report, as it comes: the newest of each by its uuid. All robots where `robotIds` is null. */
export function useTelemetry(robotIds: readonly string[] | null): ReadonlyMap<string, Telemetry> {
  const [newest, setNewest] = useState<ReadonlyMap<string, Telemetry>>(new Map());
  useStream(TelemetryFrames, { robotIds: robotIds === null ? null : [...robotIds] }, ({ robotTelemetry }) => {
    const changed = robotTelemetry.robots.map((robot) => [robot.robotUuid, robot] as const);
    setNewest((before) => new Map([...before, ...changed]));
  });
  return newest;
}

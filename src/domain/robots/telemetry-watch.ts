import type { Ctx } from "../kernel/context.ts";
import { createNodeWatch } from "../kernel/node-watch.ts";
import { type RobotTelemetry, TELEMETRY_CHANGED } from "./robot-telemetry.ts";

/** How far back a read looks: the longest time between a row's timestamp and its commit. */
const LOOK_BACK_SECONDS = 5;

const watch = createNodeWatch<RobotTelemetry>({
  everyMs: 1000,
  read: async ({ database }, workspaces) => {
    const robots = await database.run(TELEMETRY_CHANGED, [workspaces, LOOK_BACK_SECONDS]);
    return robots.map((robot) => [robot.workspaceId, robot]);
  },
  failure: "telemetry can't be read at the moment",
});

/**
 * Follows the telemetry of a workspace's robots by the rows that all nodes write.
 *
 * @param follower called with robots that may have changed; possibly again with unchanged ones.
 * @returns a function that stops following.
 */
export function watchTelemetry(
  { services, workspaceId }: Ctx,
  follower: (robot: RobotTelemetry) => void,
): () => void {
  return watch(services, workspaceId, follower);
}

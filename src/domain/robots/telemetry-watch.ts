import { setTimeout as pause } from "node:timers/promises";
import type { Ctx, Services } from "../kernel/context.ts";
import type { LiveChannel } from "../kernel/live-channel.ts";
import { type RobotTelemetry, TELEMETRY_CHANGED } from "./robot-telemetry.ts";

/** Told of robots of its workspace that may have changed; of one that has not, more than once. */
export type TelemetryFollower = (robot: RobotTelemetry) => void;

/** Whoever follows on this node, by workspace, and the work for them, which never fails. */
type Watch = { followers: Map<string, Set<TelemetryFollower>>; following: Promise<void> | null };

const LOOK_EVERY_MS = 1000;
/** How far a look goes back: a row is committed at most so long after the time that it tells. */
const LOOK_BACK_SECONDS = 5;

/** By what tells of new events: each node of a test has its own. */
const NODES = new WeakMap<LiveChannel, Watch>();

/**
 * Follows the telemetry of a workspace's robots, by the rows that every node writes. However many follow on a node,
 * one statement a second reads for all of them; where nobody does, none.
 *
 * @returns what ends it.
 */
export function watchTelemetry({ services, workspaceId }: Ctx, follower: TelemetryFollower): () => void {
  const { followers } = NODES.get(services.live) ?? startWatch(services);
  const own = followers.get(workspaceId) ?? new Set();
  followers.set(workspaceId, own.add(follower));
  return () => {
    own.delete(follower);
    if (own.size === 0) followers.delete(workspaceId);
  };
}

function startWatch(services: Services): Watch {
  const watch: Watch = { followers: new Map(), following: null };
  NODES.set(services.live, watch);
  watch.following = follow(services, watch);
  return watch;
}

/** Runs until nobody follows. */
async function follow(services: Services, watch: Watch): Promise<void> {
  do {
    await pause(LOOK_EVERY_MS);
    try {
      await look(services, watch);
    } catch (error) {
      services.log.debug({ err: error }, "telemetry can't be read at this moment");
    }
  } while (watch.followers.size > 0);
  NODES.delete(services.live);
}

async function look({ database }: Services, { followers }: Watch): Promise<void> {
  const workspaces = [...followers.keys()];
  if (workspaces.length === 0) return;
  const robots = await database.run<RobotTelemetry>(TELEMETRY_CHANGED, [workspaces, LOOK_BACK_SECONDS]);
  for (const robot of robots) {
    for (const follower of followers.get(robot.workspaceId) ?? []) follower(robot);
  }
}

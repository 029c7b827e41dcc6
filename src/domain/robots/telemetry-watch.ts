import { setTimeout as pause } from "node:timers/promises";
import type { Ctx, Services } from "../kernel/context.ts";
import type { LiveChannel } from "../kernel/live-channel.ts";
import { type RobotTelemetry, TELEMETRY_CHANGED } from "./robot-telemetry.ts";

/** Called with robots of its workspace that may have changed; possibly again with unchanged ones. */
export type TelemetryFollower = (robot: RobotTelemetry) => void;

/** The followers on this node by workspace, and the running work for them, which never rejects. */
type Watch = { followers: Map<string, Set<TelemetryFollower>>; following: Promise<void> | null };

const LOOK_EVERY_MS = 1000;
/** How far back a read looks: the longest time between a row's timestamp and its commit. */
const LOOK_BACK_SECONDS = 5;

/** Keyed by the live channel, because tests run several nodes in one process. */
const NODES = new WeakMap<LiveChannel, Watch>();

/**
 * Follows the telemetry of a workspace's robots by the rows that all nodes write. While there are followers
 * on a node, one statement per second reads for all of them.
 *
 * @returns a function that stops following.
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

/** Runs while there are followers. */
async function follow(services: Services, watch: Watch): Promise<void> {
  do {
    await pause(LOOK_EVERY_MS);
    try {
      await look(services, watch);
    } catch (error) {
      services.log.debug({ err: error }, "telemetry can't be read at the moment");
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

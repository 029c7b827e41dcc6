import type { Robot } from "../../db/generated/client.ts";
import type { Ctx, Services } from "../kernel/context.ts";
import type { LiveChannel } from "../kernel/live-channel.ts";
import { applyReport } from "./apply-report.ts";
import type { RobotReport } from "./robot-report.ts";
import { isLater } from "./state-sequence.ts";
import { type HeldReport, writeReports } from "./write-reports.ts";

type Held = HeldReport & { ctx: Ctx };
type Node = { held: Map<string, Held>; timer: NodeJS.Timeout | null };

const WRITE_EVERY_MS = 1000;

/** Keyed by the live channel, because tests run several nodes in one process. */
const NODES = new WeakMap<LiveChannel, Node>();

/** Returns a robot with the sequence number of its held report, if that is newer. */
export function withHeld({ services }: Ctx, robot: Robot): Robot {
  const held = getNode(services).held.get(robot.id)?.report;
  return held && isLater(held, robot.stateSeq) ? { ...robot, stateSeq: BigInt(held.stateSeq) } : robot;
}

/** Holds a report as the newest of its robot, to be written within a second. */
export function holdReport(ctx: Ctx, { workspaceId, id, generation }: Robot, report: RobotReport): void {
  const node = getNode(ctx.services);
  node.held.set(id, { workspaceId, robotId: id, generation, at: ctx.now, report, ctx });
  const isStopping = ctx.services.stopping?.aborted === true;
  node.timer ??= setTimeout(() => void writeHeldReports(ctx.services), isStopping ? 0 : WRITE_EVERY_MS);
}

/** Drops the held report of a robot, because a newer one is written directly. */
export function forgetHeld({ services }: Ctx, robotId: string): void {
  getNode(services).held.delete(robotId);
}

/**
 * Writes the held reports of this node. Robots that changed meanwhile are handled one by one. A report that
 * can't be written is lost: the robot's next report has newer data.
 */
export async function writeHeldReports(services: Services): Promise<void> {
  const node = getNode(services);
  if (node.timer !== null) clearTimeout(node.timer);
  node.timer = null;
  const held = [...node.held.values()];
  node.held.clear();
  if (held.length === 0) return;
  try {
    const written = await writeReports(services, held);
    for (const one of held) if (!written.has(one.robotId)) await applyHeld(one);
  } catch (error) {
    services.log.debug({ err: error }, "robot reports could not be written");
  }
}

/** One robot's failure must not affect others, which may be of other workspaces. */
async function applyHeld({ ctx, robotId, report }: Held): Promise<void> {
  try {
    await applyReport(ctx, robotId, report);
  } catch (error) {
    ctx.log.debug({ err: error }, "a robot report could not be written");
  }
}

function getNode(services: Services): Node {
  const known = NODES.get(services.live);
  if (known !== undefined) return known;
  const node: Node = { held: new Map(), timer: null };
  NODES.set(services.live, node);
  services.stopping?.addEventListener("abort", () => void writeHeldReports(services), { once: true });
  return node;
}

import type { Robot } from "../../db/generated/client.ts";
import type { Ctx } from "../kernel/context.ts";
import type { Services } from "../kernel/services.ts";
import { isLockTimeout } from "../../db/database-errors.ts";
import { type FairTurns, createFairTurns } from "../sweeps/fair-turns.ts";
import type { LiveChannel } from "../kernel/live-channel.ts";
import { applyReport } from "./apply-report.ts";
import type { RobotReport } from "./robot-report.ts";
import { isLater } from "./state-sequence.ts";
import { type HeldReport, writeReports } from "./write-reports.ts";

type Held = HeldReport & { ctx: Ctx };
/** The newest reports of a workspace's robots, by robot. */
type HeldReports = Map<string, Held>;
type Node = {
  held: Map<string, HeldReports>;
  /** The workspaces whose held reports must be written now. */
  due: Set<string>;
  turns: FairTurns;
  timer: NodeJS.Timeout | null;
};

const WRITE_EVERY_MS = 1000;
/** How many workspaces are written at once. Each uses one database connection. */
const WORKERS = 4;

/** Keyed by the live channel, because tests run several nodes in one process. */
const NODES = new WeakMap<LiveChannel, Node>();

/** Returns a robot with the sequence number of its held report, if that is newer. */
export function withHeld({ services }: Ctx, robot: Robot): Robot {
  const held = getNode(services).held.get(robot.workspaceId)?.get(robot.id)?.report;
  return held && isLater(held, robot.stateSeq) ? { ...robot, stateSeq: BigInt(held.stateSeq) } : robot;
}

/** Holds a report as the newest of its robot, to be written within a second. */
export function holdReport(ctx: Ctx, { workspaceId, id, generation }: Robot, report: RobotReport): void {
  const node = getNode(ctx.services);
  const held: HeldReports = node.held.get(workspaceId) ?? new Map();
  node.held.set(
    workspaceId,
    held.set(id, { workspaceId, robotId: id, generation, at: ctx.now, report, ctx }),
  );
  node.timer ??= setTimeout(() => void writeHeldReports(ctx.services), WRITE_EVERY_MS);
}

/** Drops the held report of a robot, because a newer one is written directly. */
export function forgetHeld({ services, workspaceId }: Ctx, robotId: string): void {
  getNode(services).held.get(workspaceId)?.delete(robotId);
}

/**
 * Writes the held reports of this node. Workspaces are written apart, a few at once, so that a failure or lock in
 * one does not affect the others. A report that can't be written is lost: the robot's next report has newer data.
 */
export async function writeHeldReports(services: Services): Promise<void> {
  const node = getNode(services);
  if (node.timer !== null) clearTimeout(node.timer);
  node.timer = null;
  for (const workspaceId of node.held.keys()) node.due.add(workspaceId);
  const failures = await node.turns.take(
    Array.from(node.due, (workspaceId) => ({
      name: "reports",
      lane: workspaceId,
      run: () => writeWorkspace(services, node, workspaceId),
    })),
  );
  await node.turns.settle();
  for (const error of failures) services.log.debug({ err: error }, "robot reports could not be written");
}

/**
 * Robots that changed meanwhile are handled one by one.
 *
 * @returns whether the workspace became due again.
 */
async function writeWorkspace(services: Services, node: Node, workspaceId: string): Promise<boolean> {
  const held = [...(node.held.get(workspaceId)?.values() ?? [])];
  node.held.delete(workspaceId);
  node.due.delete(workspaceId);
  const written = await writeReports(services, held);
  for (const one of held) if (!written.has(one.robotId)) await applyHeld(one);
  return node.due.has(workspaceId);
}

/** One robot's failure must not affect others. Where one has waited for a lock, others would too. */
async function applyHeld({ ctx, robotId, report }: Held): Promise<void> {
  try {
    await applyReport(ctx, robotId, report);
  } catch (error) {
    if (isLockTimeout(error)) throw error;
    ctx.log.debug({ err: error }, "a robot report could not be written");
  }
}

function getNode(services: Services): Node {
  const known = NODES.get(services.live);
  if (known !== undefined) return known;
  const turns = createFairTurns({ workers: WORKERS });
  const node: Node = { held: new Map(), due: new Set(), turns, timer: null };
  NODES.set(services.live, node);
  return node;
}

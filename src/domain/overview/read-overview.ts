import type {
  AgentCommandStatus,
  ControlState,
  EvalRunStatus,
  MissionStatus,
  Presence,
  RobotStatus,
  TaskStatus,
} from "../../db/generated/enums.ts";
import type { Ctx } from "../kernel/context.ts";
import { DomainError, createNotFoundError } from "../kernel/errors.ts";
import type { Collection } from "../kernel/events.ts";
import { requireScope } from "../kernel/guard.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Scope } from "../kernel/scopes.ts";
import { type Counts, type OverviewRow, overviewStatement } from "./overview-statement.ts";
import type { OverviewWindow } from "./overview-window.ts";

/** A queue in which tasks wait; `depth` is null for more than 10,000. */
export type QueueDepth = { name: string; depth: number | null; oldestAt: Date };

/** How the workspace stands at an instant. `ended` is what has ended since the window began. */
export type Overview = {
  at: Date;
  emergencyStop: { id: string | null; at: Date; by: unknown; reason: string | null } | null;
  agents: { presence: Counts<Presence>; controlState: Counts<ControlState> };
  /** `queues` are the deepest ones. */
  tasks: { counts: Counts<TaskStatus>; ended: Counts<TaskStatus>; queues: QueueDepth[] };
  /** Questions that nobody has answered and that somebody waits on. */
  questions: { waiting: number; oldestId: string | null; oldestAt: Date | null };
  agentCommands: {
    counts: Counts<AgentCommandStatus>;
    ended: Counts<AgentCommandStatus>;
    unacknowledged: number;
    oldestUnacknowledgedAt: Date | null;
  };
  robots: {
    counts: Counts<RobotStatus>;
    controlState: Counts<ControlState>;
    emergencyStopped: number;
  };
  missions: { counts: Counts<MissionStatus>; ended: Counts<MissionStatus> };
  evalRuns: { counts: Counts<EvalRunStatus> };
};

/** The sections of an overview, and what a caller must be allowed to read to see each. */
const SECTIONS = {
  agents: "agents:read",
  tasks: "tasks:read",
  questions: "messages:read",
  agentCommands: "agent_commands:read",
  robots: "robots:read",
  missions: "missions:read",
  evalRuns: "eval_runs:read",
} as const satisfies Partial<Record<keyof Overview, Scope>>;

/** A part of an overview that not every caller may see. */
export type OverviewSection = keyof typeof SECTIONS;

/**
 * Reads how the workspace stands, in one statement. It counts what there is little of; of tasks, commands,
 * missions and runs it reads the kept totals, and from indexes what has ended in the window. Those who ask
 * in one moment share it. What is in it is for {@link getSection} to show.
 *
 * @throws {DomainError} forbidden for an identity provider.
 */
export async function readOverview(ctx: Ctx, window: OverviewWindow): Promise<Overview> {
  if (ctx.actor.type === "scim") throw new DomainError("forbidden", "A SCIM token can't do this.");
  const [row] = await ctx.read(overviewStatement(window), [ctx.workspaceId]);
  if (row === undefined) throw createNotFoundError("workspace");
  return toOverview(row);
}

/**
 * A part of an overview, for who may see it.
 *
 * @throws {DomainError} insufficient_scope or forbidden without the scope that its rows need.
 */
export function getSection<Section extends OverviewSection>(
  ctx: Ctx,
  overview: Overview,
  section: Section,
): Overview[Section] {
  requireScope(ctx, SECTIONS[section]);
  return overview[section];
}

function toOverview(row: OverviewRow): Overview {
  const { at, stopId, stoppedAt, stoppedBy, stopReason, agents, questions, robots } = row;
  const commands = getTotals<AgentCommandStatus>(row, "agent_commands");
  return {
    at,
    emergencyStop: stoppedAt && { id: stopId, at: stoppedAt, by: stoppedBy, reason: stopReason },
    agents: {
      presence: sumCounts(agents.map(({ presence, count }) => [presence, count])),
      controlState: sumCounts(agents.map(({ controlState, count }) => [controlState, count])),
    },
    tasks: { counts: getTotals(row, "tasks"), ended: row.tasksEnded, queues: row.queues.map(toQueueDepth) },
    questions: { ...questions, oldestAt: questions.oldestAt === null ? null : new Date(questions.oldestAt) },
    agentCommands: {
      counts: commands,
      ended: row.commandsEnded,
      unacknowledged: (commands.queued ?? 0) + (commands.delivered ?? 0),
      oldestUnacknowledgedAt: row.oldestCommandAt,
    },
    robots: {
      counts: sumCounts(robots.map(({ status, count }) => [status, count])),
      controlState: sumCounts(robots.map(({ controlState, count }) => [controlState, count])),
      emergencyStopped: robots.reduce((sum, { stopped }) => sum + stopped, 0),
    },
    missions: { counts: getTotals(row, "missions"), ended: row.missionsEnded },
    evalRuns: { counts: getTotals(row, "eval_runs") },
  };
}

function getTotals<Status extends string>({ totals }: OverviewRow, collection: Collection): Counts<Status> {
  const own = totals.filter((one) => one.collection === collection);
  return sumCounts(own.map(({ facet, total }) => [facet, total]));
}

function sumCounts<Name extends string>(parts: [string, number][]): Counts<Name> {
  const summed: Record<string, number> = {};
  for (const [name, count] of parts) summed[name] = (summed[name] ?? 0) + count;
  // PostgreSQL's enums, by the same names.
  return summed as Counts<Name>;
}

function toQueueDepth({ name, depth, oldestAt }: OverviewRow["queues"][number]): QueueDepth {
  return { name, depth: depth > LIMITS.countedMatches ? null : depth, oldestAt: new Date(oldestAt) };
}

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

/** A queue with waiting tasks. `depth` is null for more than 10,000. */
export type QueueDepth = { name: string; depth: number | null; oldestAt: Date };

/** The state of the workspace at an instant. `ended` counts what ended since the window began. */
export type Overview = {
  at: Date;
  agents: { presence: Counts<Presence>; controlState: Counts<ControlState> };
  /** `queues` are the longest ones. */
  tasks: { counts: Counts<TaskStatus>; ended: Counts<TaskStatus>; queues: QueueDepth[] };
  /** Unanswered questions that somebody waits for. */
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

/** The sections of an overview, and the scope that each requires. */
const SECTIONS = {
  agents: "agents:read",
  tasks: "tasks:read",
  questions: "messages:read",
  agentCommands: "agent_commands:read",
  robots: "robots:read",
  missions: "missions:read",
  evalRuns: "eval_runs:read",
} as const satisfies Partial<Record<keyof Overview, Scope>>;

/** A section that requires a scope. */
export type OverviewSection = keyof typeof SECTIONS;

/**
 * Reads the state of the workspace in one statement: counts small tables, and uses stored totals for tasks,
 * commands, missions and runs, and indexes for what ended in the window. Concurrent callers share it. Use
 * {@link getSection} to check permissions.
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
 * Returns a section of an overview if the caller may see it.
 *
 * @throws {DomainError} insufficient_scope or forbidden without the section's scope.
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
  const { at, agents, questions, robots } = row;
  const commands = getTotals<AgentCommandStatus>(row, "agent_commands");
  return {
    at,
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
  // PostgreSQL's enums have the same names.
  return summed as Counts<Name>;
}

function toQueueDepth({ name, depth, oldestAt }: OverviewRow["queues"][number]): QueueDepth {
  return { name, depth: depth > LIMITS.countedMatches ? null : depth, oldestAt: new Date(oldestAt) };
}

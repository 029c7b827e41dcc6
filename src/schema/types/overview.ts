import {
  AgentCommandStatus,
  ControlState,
  EvalRunStatus,
  MissionStatus,
  Presence,
  RobotStatus,
} from "../../db/generated/enums.ts";
import { listLatestEvalRuns } from "../../domain/overview/list-latest-eval-runs.ts";
import { OVERVIEW_WINDOWS } from "../../domain/overview/overview-window.ts";
import {
  type Overview,
  type QueueDepth,
  readOverview,
  getSection,
} from "../../domain/overview/read-overview.ts";
import { builder } from "../builder.ts";
import { addCountsType } from "../add-counts-type.ts";
import { addEnum, toEnumValues } from "../enum.ts";
import { loadStopOfAll } from "./stop-state.ts";
import { StopType } from "./stop.ts";
import { TaskCounts } from "./task.ts";

// Object.keys() loses the names' types.
const WINDOWS = toEnumValues(Object.keys(OVERVIEW_WINDOWS) as (keyof typeof OVERVIEW_WINDOWS)[]);
const Window = addEnum("Window", WINDOWS, "How far back to look.");

const PresenceCounts = addCountsType("PresenceCounts", Object.values(Presence), "Agents by presence.");
const ControlStateCounts = addCountsType(
  "ControlStateCounts",
  Object.values(ControlState),
  "Agents by control state. During an emergency stop all are stopped.",
);
const CommandCounts = addCountsType(
  "AgentCommandCounts",
  Object.values(AgentCommandStatus),
  "Commands by status.",
);
const RobotCounts = addCountsType("RobotCounts", Object.values(RobotStatus), "Robots by status.");
const MissionCounts = addCountsType("MissionCounts", Object.values(MissionStatus), "Missions by status.");
const EvalRunCounts = addCountsType(
  "EvalRunCounts",
  Object.values(EvalRunStatus),
  "Evaluation runs by status.",
);

const Queue = builder.objectRef<QueueDepth>("QueueDepth").implement({
  description: "A queue with waiting tasks.",
  fields: (t) => ({
    name: t.exposeString("name"),
    depth: t.exposeInt("depth", {
      nullable: true,
      description: "The number of waiting tasks. Null for more than 10,000.",
    }),
    oldestAt: t.expose("oldestAt", {
      type: "DateTime",
      description: "When its oldest waiting task was created.",
    }),
  }),
});

const Agents = builder.objectRef<Overview["agents"]>("AgentsOverview").implement({
  description: "Agents that are not archived.",
  fields: (t) => ({
    byPresence: t.field({ type: PresenceCounts, resolve: ({ presence }) => presence }),
    byControlState: t.field({ type: ControlStateCounts, resolve: ({ controlState }) => controlState }),
  }),
});

const Tasks = builder.objectRef<Overview["tasks"]>("TasksOverview").implement({
  description: "The workspace's tasks.",
  fields: (t) => ({
    byStatus: t.field({ type: TaskCounts, resolve: ({ counts }) => counts }),
    ended: t.field({
      type: TaskCounts,
      description: "Tasks that ended in the window.",
      resolve: ({ ended }) => ended,
    }),
    queues: t.field({
      type: [Queue],
      description: "At most 20, the longest first.",
      complexity: { field: 1, multiplier: 20 },
      resolve: ({ queues }) => queues,
    }),
  }),
});

const Questions = builder.objectRef<Overview["questions"]>("QuestionsOverview").implement({
  description: "Unanswered questions: those that tasks wait for, and those that concern no task.",
  fields: (t) => ({
    waiting: t.exposeInt("waiting"),
    oldestAt: t.expose("oldestAt", { type: "DateTime", nullable: true }),
    oldestUuid: t.expose("oldestId", { type: "UUID", nullable: true }),
  }),
});

const Commands = builder.objectRef<Overview["agentCommands"]>("AgentCommandsOverview").implement({
  description: "The workspace's commands.",
  fields: (t) => ({
    byStatus: t.field({ type: CommandCounts, resolve: ({ counts }) => counts }),
    ended: t.field({
      type: CommandCounts,
      description: "Commands that ended in the window.",
      resolve: ({ ended }) => ended,
    }),
    unacknowledged: t.exposeInt("unacknowledged", { description: "Commands that are queued or delivered." }),
    oldestUnacknowledgedAt: t.expose("oldestUnacknowledgedAt", { type: "DateTime", nullable: true }),
  }),
});

const Robots = builder.objectRef<Overview["robots"]>("RobotsOverview").implement({
  description: "Robots that are not archived.",
  fields: (t) => ({
    byStatus: t.field({ type: RobotCounts, resolve: ({ counts }) => counts }),
    byControlState: t.field({ type: ControlStateCounts, resolve: ({ controlState }) => controlState }),
    emergencyStopped: t.exposeInt("emergencyStopped", {
      description: "Robots that report an emergency stop of their own.",
    }),
  }),
});

const Missions = builder.objectRef<Overview["missions"]>("MissionsOverview").implement({
  description: "The workspace's missions.",
  fields: (t) => ({
    byStatus: t.field({ type: MissionCounts, resolve: ({ counts }) => counts }),
    ended: t.field({
      type: MissionCounts,
      description: "Missions that ended in the window.",
      resolve: ({ ended }) => ended,
    }),
  }),
});

const EvalRuns = builder.objectRef<Overview["evalRuns"]>("EvalRunsOverview").implement({
  description: "The workspace's evaluation runs.",
  fields: (t) => ({
    byStatus: t.field({ type: EvalRunCounts, resolve: ({ counts }) => counts }),
    latest: t.prismaField({
      type: ["EvalRun"],
      description: "The five newest completed runs, with their verdicts.",
      complexity: { field: 1, multiplier: 5 },
      resolve: (query, _overview, _args, ctx) => listLatestEvalRuns(ctx, query),
    }),
  }),
});

const OverviewType = builder.objectRef<Overview>("Overview").implement({
  description: "The state of the workspace. Each part requires the read scope of its rows.",
  fields: (t) => ({
    at: t.expose("at", { type: "DateTime", description: "When all of these values were read." }),
    emergencyStop: t.field({
      type: StopType,
      nullable: true,
      description: "The oldest stop of all agents that stands.",
      resolve: async (_all, _args, ctx) => (await loadStopOfAll(ctx, ctx.workspaceId)) ?? null,
    }),
    agents: t.field({ type: Agents, resolve: (all, _args, ctx) => getSection(ctx, all, "agents") }),
    tasks: t.field({ type: Tasks, resolve: (all, _args, ctx) => getSection(ctx, all, "tasks") }),
    questions: t.field({ type: Questions, resolve: (all, _args, ctx) => getSection(ctx, all, "questions") }),
    agentCommands: t.field({
      type: Commands,
      resolve: (all, _args, ctx) => getSection(ctx, all, "agentCommands"),
    }),
    robots: t.field({ type: Robots, resolve: (all, _args, ctx) => getSection(ctx, all, "robots") }),
    missions: t.field({ type: Missions, resolve: (all, _args, ctx) => getSection(ctx, all, "missions") }),
    evalRuns: t.field({ type: EvalRuns, resolve: (all, _args, ctx) => getSection(ctx, all, "evalRuns") }),
  }),
});

builder.queryFields((t) => ({
  overview: t.field({
    type: OverviewType,
    description: "The current state of the workspace, and what ended in the window.",
    args: { window: t.arg({ type: Window, required: true }) },
    complexity: 20,
    resolve: (_root, { window }, ctx) => readOverview(ctx, window),
  }),
}));

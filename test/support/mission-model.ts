import type { MissionStatus } from "../../src/db/generated/enums.ts";

/** The model of a mission, with times in seconds since the start. */
export type ModelMission = {
  status: MissionStatus;
  priority: number;
  /** The requested robot, or null. */
  meant: number | null;
  robot: number | null;
  attempts: number;
  deadline: number | null;
  start: { at: number; ackedAt: number | null; isRejected: boolean } | null;
  hasStepBegun: boolean;
  cancelAt: number | null;
  idle: number;
  updatedAt: number;
  reason: string | null;
};

/** The model of a robot. */
export type ModelRobot = {
  mode: "automatic" | "manual";
  doing: "idle" | "executing" | "offline";
  isStopped: boolean;
  reportedAt: number;
  mission: number | null;
};

/** The model of a workspace: missions and robots in order of creation, and the time. */
export type MissionModel = {
  now: number;
  missions: ModelMission[];
  robots: ModelRobot[];
  isEmergency: boolean;
};

/** The error code, or "". */
type Code = "" | "invalid_state" | "forbidden";

const START_SECONDS = 30;
const BEGIN_SECONDS = 60;
const CANCEL_SECONDS = 60;
const SILENT_SECONDS = 45;
const LOST_SECONDS = 600;
const ATTEMPTS = 3;

/** Creates a mission, which is assigned at once if it is next for a robot. */
export function modelCreate(
  model: MissionModel,
  fields: Pick<ModelMission, "priority" | "meant" | "deadline">,
): void {
  const mission: ModelMission = {
    ...fields,
    status: "pending",
    robot: null,
    attempts: 0,
    start: null,
    hasStepBegun: false,
    cancelAt: null,
    idle: 0,
    updatedAt: model.now,
    reason: null,
  };
  model.missions.push(mission);
  const [first] = candidates(model);
  const [robot] = first === mission ? robotsFor(model, mission) : [];
  if (robot !== undefined) give(model, mission, robot);
}

/** A report about a mission. */
export type ModelReport = "begin" | "finish" | "failStep" | "robotPauses" | "robotConfirms";

/** A robot reports on a mission. */
export function modelReport(
  model: MissionModel,
  { place, robot }: { place: number; robot: number },
  report: ModelReport,
): Code {
  const mission = at(model.missions, place);
  if (mission.robot !== robot) return "forbidden";
  if (!isHeldMission(mission)) return isRepeated(mission, report) ? "" : "invalid_state";
  if (report === "robotConfirms" && mission.cancelAt === null) return "invalid_state";
  const isNews = mission.status === "assigned" || report !== "begin" || !mission.hasStepBegun;
  const isPausedAgain = report === "robotPauses" && mission.status === "paused";
  if (!isNews || isPausedAgain) return "";
  if (mission.status === "assigned") mission.status = "running";
  Object.assign(mission, { idle: 0, updatedAt: model.now });
  if (report === "begin") mission.hasStepBegun = true;
  if (report === "robotPauses") mission.status = "paused";
  if (report === "finish") end(model, mission, "completed");
  if (report === "failStep") fail(model, mission, "blocked");
  if (report === "robotConfirms") end(model, mission, "canceled");
  return "";
}

/** A mission ended by a report doesn't end again. Reports of missions that never started are rejected. */
function isRepeated({ status, reason }: ModelMission, report: ModelReport): boolean {
  if (report === "finish") return status === "completed";
  if (report === "robotConfirms") return status === "canceled";
  return report === "failStep" && reason === "blocked";
}

/** An operator's action on a mission. */
export function modelSteer(
  model: MissionModel,
  place: number,
  act: "pause" | "resume" | "cancel" | "force",
): Code {
  const mission = at(model.missions, place);
  const { status } = mission;
  if (act === "pause" || act === "resume") {
    const [from, to] = act === "pause" ? (["running", "paused"] as const) : (["paused", "running"] as const);
    if (status === to) return "";
    if (status !== from) return "invalid_state";
    Object.assign(mission, { status: to, idle: 0, updatedAt: model.now });
    return "";
  }
  if (status === "canceled") return "";
  if (status !== "pending" && !isHeldMission(mission)) return "invalid_state";
  if (act === "force" || status === "pending" || status === "assigned") end(model, mission, "canceled");
  else if (mission.cancelAt === null) Object.assign(mission, { cancelAt: model.now, updatedAt: model.now });
  return "";
}

/** A robot responds to its start command, if it is still valid. */
export function modelMissionAnswer(model: MissionModel, robot: number, isAccepted: boolean): void {
  const { mission: place } = at(model.robots, robot);
  const start = place === null ? null : at(model.missions, place).start;
  if (start === null || start.ackedAt !== null || start.isRejected) return;
  if (start.at + START_SECONDS <= model.now) return;
  if (isAccepted) start.ackedAt = model.now;
  else start.isRejected = true;
}

/** A robot reports its state. */
export function modelTell(
  model: MissionModel,
  robot: number,
  state: Partial<Pick<ModelRobot, "mode">> & { doing: "idle" | "executing" },
): void {
  const known = at(model.robots, robot);
  Object.assign(known, { mode: "automatic", ...state, reportedAt: model.now });
  const mission = known.mission === null ? null : at(model.missions, known.mission);
  if (mission === null) return;
  if (known.mode === "manual") {
    if (mission.status === "assigned") back(model, mission);
    else fail(model, mission, "manual_takeover");
  } else if (mission.status === "running") {
    mission.idle = known.doing === "idle" ? mission.idle + 1 : 0;
    if (mission.idle === 2) fail(model, mission, "robot_lost_mission");
  }
}

/** Processes deadlines and assigns missions. */
export function modelMissionSweep(model: MissionModel): void {
  for (const robot of model.robots) {
    if (robot.reportedAt + SILENT_SECONDS <= model.now) robot.doing = "offline";
  }
  for (const mission of model.missions) work(model, mission);
  for (let given = -1; given !== 0;) given = giveAll(model);
}

function work(model: MissionModel, mission: ModelMission): void {
  const { status, deadline, cancelAt, robot: place } = mission;
  const { now } = model;
  if (status !== "pending" && !isHeldMission(mission)) return;
  const hasBegun = status === "running" || status === "paused";
  if (deadline !== null && deadline <= now) {
    if (hasBegun) fail(model, mission, "deadline_exceeded");
    else end(model, mission, "expired");
  } else if (place === null) {
    return;
  } else if (hasBegun) {
    const robot = at(model.robots, place);
    const heard = Math.max(robot.reportedAt, mission.updatedAt);
    if (cancelAt !== null && cancelAt + CANCEL_SECONDS <= now) end(model, mission, "canceled");
    else if (robot.isStopped) fail(model, mission, "robot_stopped");
    else if (robot.doing === "offline" && heard + LOST_SECONDS <= now) fail(model, mission, "robot_lost");
  } else {
    workAssigned(model, mission, at(model.robots, place));
  }
}

function workAssigned(model: MissionModel, mission: ModelMission, robot: ModelRobot): void {
  const { start } = mission;
  const { now } = model;
  if (start === null) throw new Error("assigned without a start");
  const isExpired = start.ackedAt === null && start.at + START_SECONDS <= now;
  const isSlow = start.ackedAt !== null && start.ackedAt + BEGIN_SECONDS <= now;
  if (robot.isStopped || model.isEmergency) back(model, mission);
  else if (start.isRejected || isExpired || robot.doing === "offline" || isSlow) {
    mission.attempts++;
    if (mission.attempts < ATTEMPTS) back(model, mission);
    else {
      end(model, mission, "failed");
      mission.reason = "unassignable";
    }
  }
}

/** One pass over waiting missions, by requested robot. @returns the number assigned. */
function giveAll(model: MissionModel): number {
  const turns = candidates(model).map((mission) => ({ mission, robots: robotsFor(model, mission) }));
  let given = 0;
  for (const { mission, robots } of turns) {
    const robot = robots.find((place) => at(model.robots, place).mission === null);
    if (robot === undefined) continue;
    give(model, mission, robot);
    given++;
  }
  return given;
}

function candidates(model: MissionModel): ModelMission[] {
  return model.missions
    .filter(({ status, deadline }) => status === "pending" && (deadline === null || deadline > model.now))
    .filter((mission) => robotsFor(model, mission).length > 0)
    .toSorted((a, b) => b.priority - a.priority || model.missions.indexOf(a) - model.missions.indexOf(b));
}

function robotsFor(model: MissionModel, { meant }: ModelMission): number[] {
  const awaited = (robot: number) =>
    model.missions.filter((one) => one.status === "pending" && one.meant === robot).length;
  return model.robots
    .map((robot, place) => ({ robot, place }))
    .filter(({ robot, place }) => isFit(model, robot) && (meant === null || meant === place))
    .map(({ place }) => place)
    .toSorted((a, b) => awaited(a) - awaited(b) || a - b);
}

function isFit({ isEmergency }: MissionModel, { mode, doing, isStopped, mission }: ModelRobot): boolean {
  return !isEmergency && mission === null && mode === "automatic" && doing !== "offline" && !isStopped;
}

function give(model: MissionModel, mission: ModelMission, robot: number): void {
  const start = { at: model.now, ackedAt: null, isRejected: false };
  Object.assign(mission, { status: "assigned", robot, start, idle: 0, updatedAt: model.now });
  at(model.robots, robot).mission = model.missions.indexOf(mission);
}

function back(model: MissionModel, mission: ModelMission): void {
  free(model, mission);
  Object.assign(mission, { status: "pending", robot: null, start: null, updatedAt: model.now });
}

function fail(model: MissionModel, mission: ModelMission, reason: string): void {
  end(model, mission, mission.cancelAt === null ? "failed" : "canceled");
  mission.reason = reason;
}

function end(model: MissionModel, mission: ModelMission, status: MissionStatus): void {
  free(model, mission);
  Object.assign(mission, { status, updatedAt: model.now });
}

function free(model: MissionModel, mission: ModelMission): void {
  if (mission.robot !== null) at(model.robots, mission.robot).mission = null;
}

function isHeldMission({ status }: ModelMission): boolean {
  return status === "assigned" || status === "running" || status === "paused";
}

function at<Item>(items: readonly Item[], place: number): Item {
  const item = items[place];
  if (item === undefined) throw new Error(`there is none at ${place}`);
  return item;
}

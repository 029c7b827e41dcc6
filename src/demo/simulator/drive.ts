import { STATIONS, type StationName } from "../roster/stations.ts";

/** Where a robot is on its way, and how fast. */
export type Drive = { x: number; y: number; theta: number; vx: number };

const LEG_MS = 60_000;
/** Robots do not all arrive at once. */
const STAGGER_MS = 7000;
/** The last part of a leg is spent at its end. */
const ARRIVED = 0.8;

// The keys of a record are its own.
const NAMES = Object.keys(STATIONS) as StationName[];

/**
 * Where a robot that drives from station to station is at a moment: the same for the same robot and moment, so that
 * nothing has to be remembered between two beats.
 */
export function simulateDrive(robot: number, at: Date): Drive {
  const timeMs = at.getTime() + robot * STAGGER_MS;
  const leg = Math.floor(timeMs / LEG_MS);
  const [from, to] = [getStation(robot, leg), getStation(robot, leg + 1)];
  const share = Math.min((timeMs % LEG_MS) / LEG_MS / ARRIVED, 1);
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const isUnderWay = share < 1;
  return {
    x: round(from.x + dx * share),
    y: round(from.y + dy * share),
    theta: round(isUnderWay ? Math.atan2(dy, dx) : to.theta),
    vx: isUnderWay ? round((Math.hypot(dx, dy) * 1000) / (LEG_MS * ARRIVED)) : 0,
  };
}

/** The station at which a leg begins: a step of 8 among 21 visits them all. */
function getStation(robot: number, leg: number) {
  const name = NAMES[(robot * 5 + leg * 8) % NAMES.length] ?? "workshop";
  return STATIONS[name];
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

import { STATIONS, type StationName } from "../roster/stations.ts";

/** A robot's position and speed while driving. */
export type Drive = { x: number; y: number; theta: number; vx: number };

const LEG_MS = 60_000;
/** Spreads the robots' arrivals. */
const STAGGER_MS = 7000;
/** The share of a leg after which the robot stands at its end. */
const ARRIVED = 0.8;

// Object.keys() loses the keys' types.
const NAMES = Object.keys(STATIONS) as StationName[];

/**
 * Computes the position of a robot that drives from station to station. Depends only on the robot and the
 * time, so that no state is needed between ticks.
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

/** Returns the station at which a leg starts. Steps of 8 among 21 stations visit all of them. */
function getStation(robot: number, leg: number) {
  const name = NAMES[(robot * 5 + leg * 8) % NAMES.length] ?? "workshop";
  return STATIONS[name];
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

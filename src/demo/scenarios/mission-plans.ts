import type { MissionKind } from "../../db/generated/client.ts";
import { createRandom } from "../random.ts";
import { ROBOTS, type DemoRobot } from "../roster/robots.ts";
import { STATIONS, type StationName } from "../roster/stations.ts";
import { createWriter } from "../writer.ts";

/** A step to create: a drive to a station, or an action there. */
export type PlannedStep = {
  key: string;
  type: "move" | "action" | "wait";
  station: StationName;
  action?: string;
};

/** A kind of mission. */
export type PlannedMission = {
  kind: MissionKind;
  robot: string;
  fleet: string;
  title: string;
  steps: PlannedStep[];
  /** The estimated duration. */
  seconds: number;
};

type Plan = {
  weight: number;
  model: DemoRobot["model"];
  kind: MissionKind;
  from: readonly StationName[];
  to: readonly StationName[];
  /** The actions at the first and the last station. */
  actions: readonly [string, string];
  titles: readonly string[];
};

const AISLES = ["aisle-a07", "aisle-b03", "aisle-b14", "aisle-c02", "aisle-c11", "aisle-d05"] as const;
const PACKING = ["packing-1", "packing-3"] as const;
const RECEIVING = ["receiving-1", "receiving-2"] as const;
const SHIPPING = ["shipping-2", "shipping-5"] as const;

const PLANS: Readonly<Record<string, Plan>> = {
  pick: {
    weight: 34,
    model: "Hauler 250",
    kind: "transport",
    from: AISLES,
    to: PACKING,
    actions: ["pick_tote", "drop_tote"],
    titles: ["Bring tote {tote} from {from} to {to}", "Bring order {order} in tote {tote} to {to}"],
  },
  putAway: {
    weight: 16,
    model: "Hauler 250",
    kind: "transport",
    from: RECEIVING,
    to: AISLES,
    actions: ["pick_tote", "drop_tote"],
    titles: ["Put tote {tote} away in {to}", "Replenish {to} with {units} × {product}"],
  },
  pallet: {
    weight: 18,
    model: "Lifter 600",
    kind: "transport",
    from: RECEIVING,
    to: ["staging-a", "staging-b"],
    actions: ["lift_pallet", "lower_pallet"],
    titles: ["Move pallet {pallet} from {from} to {to}", "Clear {from}: pallet {pallet} to {to}"],
  },
  ship: {
    weight: 10,
    model: "Lifter 600",
    kind: "transport",
    from: PACKING,
    to: SHIPPING,
    actions: ["lift_pallet", "lower_pallet"],
    titles: ["Take pallet {pallet} to {to} for {carrier}", "Load {carrier} truck: pallet {pallet} to {to}"],
  },
  inspect: {
    weight: 10,
    model: "Scout S2",
    kind: "inspection",
    from: AISLES,
    to: ["cold-store", ...AISLES],
    actions: ["scan_shelf", "scan_shelf"],
    titles: ["Count the shelves from {from} to {to}", "Look for damaged racks between {from} and {to}"],
  },
  patrol: {
    weight: 7,
    model: "Scout S2",
    kind: "patrol",
    from: ["gate-north"],
    to: ["gate-east"],
    actions: ["check_gate", "check_gate"],
    titles: ["Patrol from {from} to {to}", "Check that both gates are closed"],
  },
  dock: {
    weight: 5,
    model: "Hauler 250",
    kind: "dock",
    from: ["staging-a"],
    to: ["charger-1", "charger-4"],
    actions: ["leave_lane", "start_charging"],
    titles: ["Charge at {to}", "Drive to {to} before the evening peak"],
  },
};

/** Plans a mission from a seed. If a robot is given, one that it can do. */
export function planMission(seed: string, robot: string | null): PlannedMission {
  const random = createRandom(`${seed} errand`);
  const given = ROBOTS.find(({ handle }) => handle === robot);
  const possible = Object.entries(PLANS).filter(([, { model, kind }]) =>
    given === undefined ? true : model === given.model && kind !== "dock",
  );
  const name = random.weigh(Object.fromEntries(possible.map(([name, { weight }]) => [name, weight])));
  const plan = PLANS[name];
  if (plan === undefined) throw new Error(`there is no plan ${name}`);
  const from = random.pick(plan.from);
  const to = random.pick(plan.to.filter((station) => station !== from));
  const write = createWriter(seed, { from: STATIONS[from].label, to: STATIONS[to].label });
  const healthy = ROBOTS.filter(({ model, state }) => model === plan.model && state.status !== "offline");
  return {
    kind: plan.kind,
    robot: robot ?? random.pick(healthy).handle,
    fleet: plan.model === "Scout S2" ? "patrol" : "hall-a",
    title: capitalize(write(random.pick(plan.titles))),
    steps: stepsBetween(plan, from, to),
    seconds: 60 + distance(from, to) * 6 + random.between(0, 120),
  };
}

function stepsBetween({ kind, actions }: Plan, from: StationName, to: StationName): PlannedStep[] {
  const [first, last] = actions;
  const way: PlannedStep[] = [
    { key: "drive-to-start", type: "move", station: from },
    { key: first.replaceAll("_", "-"), type: "action", station: from, action: first },
    { key: "drive-to-end", type: "move", station: to },
    { key: `${last.replaceAll("_", "-")}-at-end`, type: "action", station: to, action: last },
  ];
  if (kind !== "inspection" && kind !== "patrol") return way;
  return [...way, { key: "send-report", type: "wait", station: to }];
}

function distance(from: StationName, to: StationName): number {
  return Math.abs(STATIONS[from].x - STATIONS[to].x) + Math.abs(STATIONS[from].y - STATIONS[to].y);
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

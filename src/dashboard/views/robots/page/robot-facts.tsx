import { Link } from "wouter";
import { Facts } from "../../../ui/facts.tsx";
import { toWords } from "../../../ui/words.ts";
import { useFloorPlans } from "../map/floor-plans.ts";
import { MapPlot } from "../map/map-plot.tsx";
import { groupByMap } from "../map/placed-robot.ts";
import { parsePosition } from "../parse-position.ts";
import type { ShownRobot } from "./robot-query.ts";

/** A robot's position and details. */
export function RobotFacts({ robot }: { robot: ShownRobot }) {
  const { plans } = useFloorPlans();
  // The maps without a robot come last.
  const map = groupByMap([robot], plans).find(([, placed]) => placed.length > 0);
  return (
    <div className="stack">
      {map !== undefined && (
        <section className="card robots-map" aria-label="Position">
          <h2>Map {map[0]}</h2>
          <MapPlot mapId={map[0]} robots={map[1]} plan={plans.get(map[0]) ?? null} />
        </section>
      )}
      <section className="card" aria-label="Details">
        <Facts facts={listFacts(robot)} />
      </section>
    </div>
  );
}

function listFacts(robot: ShownRobot): Parameters<typeof Facts>[0]["facts"] {
  const made = [robot.manufacturer, robot.model].filter((one) => one !== null).join(" ");
  return [
    ["Mission", <Mission key="mission" uuid={robot.currentMissionUuid} />],
    ["Accepts missions", robot.acceptsMissions ? "yes" : "no"],
    ["Emergency stop", robot.emergencyStop === "NONE" ? "not pressed" : toWords(robot.emergencyStop)],
    ["Protective field", robot.fieldViolation ? "violated" : "clear"],
    ["Position", formatPosition(robot.position)],
    ["Activity", describeActivity(robot)],
    ["Loads", Array.isArray(robot.loads) ? String(robot.loads.length) : null],
    ["Fleet", robot.fleet],
    ["Manufacturer", made === "" ? null : made],
    ["Serial number", robot.serialNumber],
  ];
}

function Mission({ uuid }: { uuid: string | null }) {
  return uuid === null ? "none" : <Link href={`/missions/${uuid}`}>View mission</Link>;
}

function formatPosition(position: unknown): string | null {
  const at = parsePosition(position);
  if (at === null) return null;
  return `${at.x.toFixed(2)} m, ${at.y.toFixed(2)} m${at.isLocalized ? "" : ", not localized"}`;
}

function describeActivity({ driving, paused, charging }: ShownRobot): string {
  if (charging) return "charging";
  if (paused) return "paused";
  return driving ? "driving" : "standing";
}

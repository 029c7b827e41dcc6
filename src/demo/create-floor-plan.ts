import type { Ctx } from "../domain/kernel/context.ts";
import { setFloorPlan } from "../domain/floor-plans/set-floor-plan.ts";
import { DEMO_MAP } from "./roster/robots.ts";

/** Of the drawing, in units per metre. */
const UNITS = 10;
const HALL = { width: 75, height: 45 };

/** Rooms and zones in metres from the south-west corner, with a name. */
const ROOMS: readonly [x: number, y: number, width: number, height: number, name: string, color: string][] = [
  [0.5, 0.5, 12.5, 7.5, "Receiving", "#eef3f8"],
  [13.5, 7.5, 6.5, 10.5, "Staging", "#f6f1e4"],
  [45.5, 0.5, 7.5, 7, "Returns", "#f3eef6"],
  [55, 7.5, 7, 12, "Packing", "#eef6ef"],
  [64, 0.5, 10.5, 22, "Shipping", "#eef3f8"],
  [48, 28, 9, 9, "Cold store", "#e6f2f8"],
  [0.5, 28, 5, 10.5, "Chargers", "#f6f1e4"],
  [0.5, 39.5, 8, 5, "Workshop", "#f3eef6"],
];

/** The racks between the aisles A to D. */
const RACKS_Y = [9.2, 14.4, 20, 25.6, 31.2];
const RACK = { x: 25, width: 20, depth: 1.8 };

/** The gates and docks in the walls. */
const DOORS: readonly [x1: number, y1: number, x2: number, y2: number][] = [
  [2.5, 0, 6, 0],
  [8, 0, 11.5, 0],
  [75, 5, 75, 11],
  [75, 16, 75, 22],
  [75, 25, 75, 29],
  [36, 45, 40, 45],
];

/** Creates the floor plan of the demo's hall. */
export async function createFloorPlan(ctx: Ctx): Promise<void> {
  const place = { mapId: DEMO_MAP, resolution: 1 / UNITS, originX: 0, originY: 0, originYaw: 0 };
  await setFloorPlan(ctx, { ...place, image: Buffer.from(drawHall()) });
}

function drawHall(): string {
  const [width, height] = [HALL.width * UNITS, HALL.height * UNITS];
  const rooms = ROOMS.map(([x, y, roomWidth, roomHeight, name, color]) => {
    const [left, top] = [x * UNITS, toTop(y + roomHeight)];
    const frame = `x="${left}" y="${top}" width="${roomWidth * UNITS}" height="${roomHeight * UNITS}"`;
    return `<rect ${frame} fill="${color}" stroke="#8a94a3" stroke-width="1.5"/><text x="${left + 5}" y="${top + 14}">${name}</text>`;
  });
  const racks = RACKS_Y.map(
    (y) =>
      `<rect x="${RACK.x * UNITS}" y="${toTop(y + RACK.depth)}" width="${RACK.width * UNITS}" height="${RACK.depth * UNITS}"/>`,
  );
  const doors = DOORS.map(
    ([x1, y1, x2, y2]) => `<path d="M${x1 * UNITS} ${toTop(y1)}L${x2 * UNITS} ${toTop(y2)}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">
<rect x="2" y="2" width="${width - 4}" height="${height - 4}" fill="#ffffff" stroke="#3f4a5a" stroke-width="4"/>
<g font-family="sans-serif" font-size="11" fill="#5b6675">${rooms.join("")}</g>
<g fill="#dde2e9" stroke="#8a94a3" stroke-width="1">${racks.join("")}</g>
<g stroke="#ffffff" stroke-width="5">${doors.join("")}</g>
<g stroke="#3f7fbf" stroke-width="2" stroke-dasharray="6 4">${doors.join("")}</g>
</svg>`;
}

/** Rows of the drawing count from above. */
function toTop(y: number): number {
  return Math.round((HALL.height - y) * UNITS);
}

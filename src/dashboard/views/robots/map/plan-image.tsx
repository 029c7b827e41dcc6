import { useIsDark } from "../../../ui/look/theme.ts";
import type { MapView } from "./fit-view.ts";
import type { FloorPlan } from "./floor-plans.ts";

/** A floor plan where it is on its map. Dark ink on a light ground gets the colors of the theme. */
export function PlanImage({ plan, view }: { plan: FloorPlan; view: MapView }) {
  const isDark = useIsDark();
  return (
    <image
      className={isDark ? "robots-plan robots-plan-dark" : "robots-plan"}
      href={plan.imagePath}
      width={plan.width}
      height={plan.height}
      preserveAspectRatio="none"
      transform={toMatrix(plan, view)}
      aria-hidden="true"
    />
  );
}

/** Turns around the lower left corner: angles are counterclockwise on the map, and rows of pixels count from above. */
function toMatrix({ height, resolution, originX, originY, originYaw }: FloorPlan, view: MapView): string {
  const corner = view.place({ x: originX, y: originY });
  const scale = view.scale * resolution;
  const [cos, sin] = [scale * Math.cos(originYaw), scale * Math.sin(originYaw)];
  const [left, top] = [corner.x - sin * height, corner.y - cos * height];
  return `matrix(${[cos, -sin, sin, cos, left, top].join(" ")})`;
}

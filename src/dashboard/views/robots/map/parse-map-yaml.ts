/** Where a floor plan is, as typed. */
export type TypedPose = Record<"resolution" | "originX" | "originY" | "originYaw", string>;

/**
 * Reads what a `map.yaml` of ROS says about where its image is. Only what it has.
 *
 * @see https://docs.ros.org/en/rolling/p/nav2_map_server/
 */
export function parseMapYaml(text: string): Partial<TypedPose> {
  const lines = text.split("\n").map((line) => line.trim());
  const [resolution] = listNumbers(lines.find((line) => line.startsWith("resolution:")) ?? "");
  const from = lines.findIndex((line) => line.startsWith("origin:"));
  // In brackets, or one in each line after it.
  const [x, y, yaw] = from < 0 ? [] : listNumbers(takeValue(lines.slice(from)));
  return {
    ...(resolution !== undefined && { resolution }),
    ...(x !== undefined && y !== undefined && { originX: x, originY: y, originYaw: yaw ?? "0" }),
  };
}

/** The first line, and those after it that begin no other value. */
function takeValue([first = "", ...others]: readonly string[]): string {
  const end = others.findIndex((line) => line.includes(":"));
  return [first, ...(end < 0 ? others : others.slice(0, end))].join(" ");
}

function listNumbers(text: string): string[] {
  return text.split(/[\s,[\]]+/).filter((word) => /\d/.test(word) && Number.isFinite(Number(word)));
}

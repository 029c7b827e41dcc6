import type { UserProblem } from "../../../data/problem.ts";
import { sessionEnd } from "../../../data/session.ts";
import type { TypedPose } from "./parse-map-yaml.ts";

const UNREACHABLE: UserProblem = {
  text: "The server can't be reached. Nothing was saved.",
  code: "UNREACHABLE",
  fields: {},
};

/**
 * Sends a floor plan.
 *
 * @param file null to keep the image that the map has.
 * @returns why it was not saved; null if it was.
 */
export async function putFloorPlan(
  mapId: string,
  pose: TypedPose,
  file: File | null,
): Promise<UserProblem | null> {
  const query = new URLSearchParams({ mapId, ...pose });
  try {
    const answer = await fetch(`/floor-plans?${query}`, {
      method: "PUT",
      headers: { "content-type": "application/octet-stream" },
      body: file,
    });
    if (answer.ok) return null;
    if (answer.status === 401) sessionEnd.set("logged-out");
    return readProblem(await answer.json());
  } catch {
    return UNREACHABLE;
  }
}

/** @param sent the problem that the server answered with. */
function readProblem(sent: unknown): UserProblem {
  const read: Record<string, unknown> = typeof sent === "object" && sent !== null ? { ...sent } : {};
  const text = typeof read["detail"] === "string" ? read["detail"] : UNREACHABLE.text;
  const errors: unknown[] = Array.isArray(read["errors"]) ? read["errors"] : [];
  const own: [string, string][] = typeof read["field"] === "string" ? [[read["field"], text]] : [];
  return {
    text,
    code: typeof read["code"] === "string" ? read["code"].toUpperCase() : "INTERNAL",
    fields: Object.fromEntries([...own, ...errors.flatMap(toFieldEntry)]),
  };
}

function toFieldEntry(entry: unknown): [string, string][] {
  if (typeof entry !== "object" || entry === null || !("field" in entry) || !("detail" in entry)) return [];
  return [[String(entry.field), String(entry.detail)]];
}

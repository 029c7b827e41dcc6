import type { Part } from "../../../src/domain/kernel/part.ts";
import { partJson } from "./part-shape.ts";

/** What a task has given. */
export type OutputRow = { output: unknown; artifacts: unknown };

/** The artifact that is a task's output. Workers name the others. */
const OUTPUT_ID = "agent-ops/output";

type Artifact = { artifact_id: string; name?: string; parts: Part[] };

/** Spells what a task has given as the protocol does: its output first. */
export function toArtifacts({ output, artifacts }: OutputRow): object[] {
  const part = typeof output === "string" ? { text: output } : { data: output };
  const own = output === null ? [] : [{ artifactId: OUTPUT_ID, name: "output", parts: [part] }];
  // completeTask() has checked what it stored.
  const named = (artifacts as Artifact[]).map(({ artifact_id: artifactId, parts, ...rest }) => ({
    artifactId,
    ...rest,
    parts: parts.map(partJson),
  }));
  return [...own, ...named];
}

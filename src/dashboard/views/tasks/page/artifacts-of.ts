/** Something that a task has made. */
export type Artifact = { id: string; name: string; parts: readonly unknown[] };

/** Reads the artifacts of a task, which agents write as A2A has them. What is none is left out. */
export function artifactsOf(artifacts: unknown): Artifact[] {
  return Array.isArray(artifacts) ? artifacts.flatMap(artifactOf) : [];
}

function artifactOf(artifact: unknown): Artifact[] {
  if (typeof artifact !== "object" || artifact === null) return [];
  if (!("artifact_id" in artifact) || !("parts" in artifact) || !Array.isArray(artifact.parts)) return [];
  const id = String(artifact.artifact_id);
  const name = "name" in artifact && typeof artifact.name === "string" ? artifact.name : id;
  return [{ id, name, parts: artifact.parts }];
}

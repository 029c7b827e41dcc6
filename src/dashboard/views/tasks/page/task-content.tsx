import { FailureNote } from "../../../ui/failure/failure-note.tsx";
import { Json } from "../../../ui/json.tsx";
import { Parts } from "../../conversations/thread/parts.tsx";
import type { ShownTask } from "./task-query.ts";

/** A task's error, input, output and artifacts. Empty ones are omitted. */
export function TaskContent({ task }: { task: ShownTask }) {
  const { input, output, error } = task;
  return (
    <>
      <FailureNote error={error} />
      {input.length > 0 && (
        <section className="card stack-m" aria-labelledby="task-input">
          <h2 id="task-input">Input</h2>
          <Parts parts={input} label="Input" />
        </section>
      )}
      {output !== null && (
        <section className="card stack-m" aria-labelledby="task-output">
          <h2 id="task-output">Output</h2>
          {typeof output === "string" ? <p>{output}</p> : <Json value={output} label="Output as JSON" />}
        </section>
      )}
      {parseArtifacts(task.artifacts).map(({ id, name, parts }) => (
        <section key={id} className="card stack-m" aria-label={`Artifact ${name}`}>
          <h2>{name}</h2>
          <Parts parts={parts} label={`Artifact ${name}`} />
        </section>
      ))}
    </>
  );
}

type Artifact = { id: string; name: string; parts: readonly unknown[] };

/** Parses a task's artifacts, which use A2A's format. Invalid ones are omitted. */
function parseArtifacts(artifacts: unknown): Artifact[] {
  return Array.isArray(artifacts) ? artifacts.flatMap(parseArtifact) : [];
}

function parseArtifact(artifact: unknown): Artifact[] {
  if (typeof artifact !== "object" || artifact === null) return [];
  if (!("artifact_id" in artifact) || !("parts" in artifact) || !Array.isArray(artifact.parts)) return [];
  const id = String(artifact.artifact_id);
  const name = "name" in artifact && typeof artifact.name === "string" ? artifact.name : id;
  return [{ id, name, parts: artifact.parts }];
}

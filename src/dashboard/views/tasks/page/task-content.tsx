import { FailureNote } from "../../../ui/failure/failure-note.tsx";
import { Json } from "../../../ui/json.tsx";
import { Parts } from "../../conversations/thread/parts.tsx";
import { artifactsOf } from "./artifacts-of.ts";
import type { ShownTask } from "./task-query.ts";

/** What went wrong, what was given and what was made. Where there is nothing of one, nothing stands for it. */
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
      {artifactsOf(task.artifacts).map(({ id, name, parts }) => (
        <section key={id} className="card stack-m" aria-label={`Artifact ${name}`}>
          <h2>{name}</h2>
          <Parts parts={parts} label={`Artifact ${name}`} />
        </section>
      ))}
    </>
  );
}

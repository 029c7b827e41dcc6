import { FailureNote } from "../../../ui/failure/failure-note.tsx";
import { Json } from "../../../ui/json.tsx";
import type { ShownCommand } from "./command-query.ts";

/** What a command says and what came of it. */
export function CommandContent({ command: { params, result, error } }: { command: ShownCommand }) {
  const isWithoutParams = typeof params === "object" && params !== null && Object.keys(params).length === 0;
  return (
    <>
      <FailureNote error={error} />
      {result !== null && (
        <section className="card stack-m" aria-labelledby="command-result">
          <h2 id="command-result">Result</h2>
          <Json value={result} label="Result as JSON" />
        </section>
      )}
      <section className="card stack-m" aria-labelledby="command-params">
        <h2 id="command-params">Params</h2>
        {isWithoutParams ? <p className="soft">None.</p> : <Json value={params} label="Params as JSON" />}
      </section>
    </>
  );
}

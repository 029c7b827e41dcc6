import { OnePage } from "../../../app/one-page.tsx";
import { toGlobalId } from "../../../data/global-id.ts";
import { useLiveQuery } from "../../../data/use-live-query.ts";
import { FailureNote } from "../../../ui/failure/failure-note.tsx";
import { JsonTree } from "../../../ui/json-tree/json-tree.tsx";
import { Page } from "../../../ui/page.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { ExecutionChip } from "../execution-chip.tsx";
import { EXECUTION_FRESHNESS, ExecutionQuery, type ShownExecution } from "../execution-fields.ts";
import { ResolveButton } from "../resolve/resolve-button.tsx";
import { ExecutionFacts } from "./execution-facts.tsx";

const ABOVE = { href: "/executions", title: "Executions" };

/** One execution. */
export function ExecutionPage({ uuid }: { uuid: string }) {
  const variables = { id: toGlobalId("Execution", uuid) };
  const query = useLiveQuery(ExecutionQuery, variables, EXECUTION_FRESHNESS);
  return (
    <OnePage what="execution" above={ABOVE} query={query}>
      {({ execution }) => (
        <Page
          title={toVisibleText(execution.resourceId)}
          above={ABOVE}
          lead={<Lead execution={execution} />}
          action={<ResolveButton execution={execution} />}
        >
          <div className="with-aside">
            <div className="stack">
              <FailureNote error={execution.error} />
              <Value title="Arguments that were approved" value={execution.arguments} />
              <Value title="Result" value={execution.result} />
              <Resolution execution={execution} />
            </div>
            <ExecutionFacts execution={execution} />
          </div>
        </Page>
      )}
    </OnePage>
  );
}

const MEANINGS: Readonly<Record<ShownExecution["status"], string>> = {
  STARTED: "The agent is doing it.",
  COMPLETED: "It was done.",
  FAILED: "It failed.",
  UNKNOWN: "Nobody knows whether it was done.",
  UNREPORTED: "Its tool ran, but nobody reports how such calls end.",
  RETRIED: "It is done again by another execution.",
};

const EFFECTS = {
  NONE: "Nothing was changed.",
  PARTIAL: "A part of it was done.",
  UNKNOWN: "What was done is not known.",
} as const;

function Lead({ execution: { status, effect } }: { execution: ShownExecution }) {
  return (
    <span className="in-line">
      <ExecutionChip status={status} />
      <span>
        {MEANINGS[status]} {effect !== null && EFFECTS[effect]}
      </span>
    </span>
  );
}

function Value({ title, value }: { title: string; value: unknown }) {
  if (value === null || value === undefined) return null;
  return (
    <section className="card stack-m" aria-label={title}>
      <h2>{title}</h2>
      <JsonTree value={value} label={`${title} as a tree`} />
    </section>
  );
}

/** Who said how it ended, and why. */
function Resolution({ execution: { resolvedBy, resolvedReason, status } }: { execution: ShownExecution }) {
  if (resolvedBy === null) {
    if (status !== "STARTED") return null;
    return <p className="soft">Its result appears here when the agent reports it.</p>;
  }
  return (
    <section className="card stack-m" aria-labelledby="execution-resolution">
      <h2 id="execution-resolution">Resolved</h2>
      <p>
        By {resolvedBy.name}: {resolvedReason}
      </p>
    </section>
  );
}

import { Link } from "wouter";
import { StatusChip } from "../../../ui/status-chip.tsx";
import { WordDiff } from "../../../ui/word-diff.tsx";
import { TitledJson } from "./titled-json.tsx";
import { toText } from "./to-text.ts";

export type ShownResult = {
  itemKey: string;
  status: string;
  input: unknown;
  expected: unknown;
  output: unknown;
  scores: unknown;
  error: string | null;
  latencyMs: number | null;
  costUsd: number | null;
  traceId: string | null;
};

/** A result that expands to its input, expected and actual output. */
export function ResultItem({ result }: { result: ShownResult }) {
  const { itemKey, status, latencyMs, costUsd } = result;
  return (
    <details>
      <summary>
        <StatusChip status={status} /> <code>{itemKey}</code>{" "}
        <span className="soft small">
          {[
            ...(latencyMs === null ? [] : [`${latencyMs.toLocaleString("en")} ms`]),
            ...(costUsd === null ? [] : [`$${costUsd.toFixed(4)}`]),
          ].join(", ")}
        </span>
      </summary>
      <Inside result={result} />
    </details>
  );
}

function Inside({ result }: { result: ShownResult }) {
  const { itemKey, input, expected, output, scores, error, traceId } = result;
  return (
    <div className="stack-m">
      {traceId !== null && <Link href={`/traces/${traceId}`}>View trace</Link>}
      {error !== null && <p className="notice notice-bad">{error}</p>}
      <TitledJson title="Input" of={itemKey} value={input} />
      <div className="evaluations-sides">
        <TitledJson title="Expected" of={itemKey} value={expected} />
        <TitledJson title="Output" of={itemKey} value={output} />
      </div>
      {expected !== null && output !== null && toText(expected) !== toText(output) && (
        <div className="evaluations-json stack-s">
          <h3>Difference</h3>
          <WordDiff label={`Difference of ${itemKey}`} before={toText(expected)} after={toText(output)} />
        </div>
      )}
      {Array.isArray(scores) && scores.length > 0 && (
        <TitledJson title="Scores" of={itemKey} value={scores} />
      )}
    </div>
  );
}

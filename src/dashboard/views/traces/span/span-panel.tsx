import { useLiveQuery } from "../../../data/use-live-query.ts";
import { Busy } from "../../../ui/busy.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import { at } from "../tree/at.ts";
import type { SpanTree } from "../tree/build-tree.ts";
import { getNodeName } from "../tree/get-node-name.ts";
import type { TimeWindow } from "../tree/time-window.ts";
import { Scores } from "../scores/scores.tsx";
import { ParentSpan } from "./parent-span.tsx";
import { SpanDetails } from "./span-details.tsx";
import { SpanQuery } from "./span-query.ts";

export type SpanPanelProps = {
  traceId: string;
  tree: SpanTree;
  node: number;
  onZoom: (window: TimeWindow) => void;
  onChoose: (node: number) => void;
  onClose: () => void;
};

/** An open span may change at any time. */
const EVERY_MS = 3000;

/** Everything about one span, next to the waterfall. */
export function SpanPanel({ traceId, tree, node, onZoom, onChoose, onClose }: SpanPanelProps) {
  const [fromUs, toUs] = [tree.startUs[node] ?? 0, tree.endUs[node] ?? 0];
  return (
    <section className="card stack-m traces-panel" aria-label="Chosen span">
      <div className="traces-panel-head">
        <h2>{toVisibleText(getNodeName(tree, node))}</h2>
        <button type="button" className="button button-small" onClick={onClose}>
          Close
        </button>
      </div>
      {toUs !== Infinity && (
        <div className="actions">
          <button
            type="button"
            className="button button-small"
            onClick={() => onZoom({ fromUs, toUs: Math.max(toUs, fromUs + 1) })}
          >
            Zoom to it
          </button>
        </div>
      )}
      <Skew tree={tree} node={node} />
      {node < tree.spans.id.length ? (
        <Loaded {...{ traceId, tree, node, onChoose }} />
      ) : (
        <p className="soft">Spans name it as their parent, but it has not arrived.</p>
      )}
    </section>
  );
}

/** Clocks of different machines differ. Spans are shown as they were sent. */
function Skew({ tree: { parent, startUs }, node }: { tree: SpanTree; node: number }) {
  if ((startUs[node] ?? 0) >= (startUs[at(parent, node)] ?? -Infinity)) return null;
  return (
    <p className="notice notice-warn small">
      It says that it started before its parent did: their clocks differ.
    </p>
  );
}

type LoadedProps = Pick<SpanPanelProps, "traceId" | "tree" | "node" | "onChoose">;

function Loaded({ traceId, tree, node, onChoose }: LoadedProps) {
  const spanId = tree.ids[node] ?? "";
  const freshness = { types: [], ...(tree.endUs[node] === Infinity && { everyMs: EVERY_MS }) };
  const { data, problem, isLoading, refresh } = useLiveQuery(SpanQuery, { traceId, spanId }, freshness);
  const span = data?.trace.span ?? null;
  return (
    <>
      <ErrorNote problem={problem} onRetry={refresh} />
      <Busy isBusy={isLoading} />
      {span !== null && (
        <>
          <Scores traceId={traceId} spanId={spanId} isKeyed />
          <SpanDetails
            traceId={traceId}
            span={span}
            parent={<ParentSpan {...{ tree, onChoose }} spanId={span.parentSpanId} />}
          />
        </>
      )}
      {data !== null && span === null && <p className="soft">It is not stored any more.</p>}
    </>
  );
}

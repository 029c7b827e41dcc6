import { formatCount } from "../../../ui/words.ts";
import type { SpanTree } from "../tree/build-tree.ts";
import type { ShownTrace } from "./trace-query.ts";

/** Says what of a trace has not arrived, or can't be as it was sent. */
export function IncompleteNote({ trace, tree }: { trace: ShownTrace; tree: SpanTree }) {
  const missing = tree.ids.length - tree.spans.id.length;
  const cut = tree.cut.size;
  if (!trace.incomplete && missing === 0 && cut === 0) return null;
  return (
    <div className="notice notice-warn">
      {missing > 0 && (
        <p>
          <strong>Incomplete:</strong> {formatCount(missing, "parent has", "parents have")} not arrived. The
          spans below are shown under “missing parent”.
        </p>
      )}
      {cut > 0 && (
        <p>
          {formatCount(cut, "span names", "spans name")} a span of its own below as its parent, and{" "}
          {cut === 1 ? "is" : "are"} shown without one.
        </p>
      )}
      {missing === 0 && cut === 0 && (
        <p>
          <strong>Incomplete:</strong> the span without a parent has not arrived.
        </p>
      )}
    </div>
  );
}

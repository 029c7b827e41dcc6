import type { MouseEvent } from "react";
import { Link } from "wouter";
import { toVisibleText } from "../../../ui/to-visible-text.ts";
import type { SpanTree } from "../tree/build-tree.ts";
import { getNodeName } from "../tree/get-node-name.ts";

export type ParentSpanProps = {
  tree: SpanTree;
  /** The id of the parent. Null for a root. */
  spanId: string | null;
  onChoose: (node: number) => void;
};

/** Leads to the parent of a span, in the same trace. */
export function ParentSpan({ tree, spanId, onChoose }: ParentSpanProps) {
  const node = spanId === null ? undefined : tree.nodes.get(spanId);
  if (spanId === null) return "none: it is a root";
  if (node === undefined) return <code className="traces-id">{toVisibleText(spanId)}</code>;

  return (
    <Link
      href={`?span=${encodeURIComponent(spanId)}`}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        onChoose(node);
      }}
    >
      {toVisibleText(getNodeName(tree, node))}
    </Link>
  );
}

/** Other clicks open it in another tab. */
function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

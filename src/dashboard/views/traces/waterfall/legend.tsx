import { useMemo } from "react";
import type { SpanTree } from "../tree/build-tree.ts";
import { type SpanTone, TONES, getTone } from "./span-tone.ts";

/** What the colors of a trace mean, of those that it has. */
export function Legend({ tree }: { tree: SpanTree }) {
  const used = useMemo(() => new Set<SpanTone>(tree.spans.id.map((_, node) => getTone(tree, node))), [tree]);
  return (
    <ul className="traces-legend small soft" aria-label="Colors">
      {Object.entries(TONES).map(
        ([tone, label]) =>
          used.has(tone as SpanTone) && ( // The keys of TONES are tones.
            <li key={tone}>
              <span className="traces-mark" data-tone={tone} aria-hidden="true" /> {label}
            </li>
          ),
      )}
    </ul>
  );
}

import { type ShortcutGroup, useShortcuts } from "../../../app/shortcuts/shortcuts.ts";
import { type RefObject, useMemo } from "react";
import { useKeys } from "../../../ui/use-keys.ts";
import type { SpanTree } from "../tree/build-tree.ts";
import { findFailures, findNext } from "../tree/find-nodes.ts";
import { ALL_FOLDED, ALL_OPEN } from "../tree/folding.ts";
import { SpanSearch } from "./span-search.tsx";
import type { Rows } from "./use-rows.ts";

export type ToolsProps = {
  tree: SpanTree;
  rows: Rows;
  /** The rows, which get the focus when a tool goes to one. */
  grid: RefObject<HTMLDivElement | null>;
  /** Ends the zoom. Null if there is none. */
  onShowAll: (() => void) | null;
};

const SHORTCUTS: ShortcutGroup = {
  title: "Trace",
  keys: [
    ["/", "Find a span"],
    ["e", "Next error"],
    ["+ -", "Score it as good or bad"],
  ],
};

/** What finds and folds spans, above the waterfall. */
export function Tools({ tree, rows, grid, onShowAll }: ToolsProps) {
  const failures = useMemo(() => findFailures(tree), [tree]);

  function goToNextFailure(): void {
    const next = findNext(tree, failures, rows.node);
    if (next === undefined) return;
    rows.goTo(next);
    grid.current?.focus({ preventScroll: true });
  }

  useKeys({ e: goToNextFailure });
  useShortcuts(SHORTCUTS);
  return (
    <div className="traces-tools">
      <SpanSearch tree={tree} node={rows.node} onFind={rows.goTo} />
      {failures.length > 0 && (
        <button type="button" className="button button-small" onClick={goToNextFailure}>
          Next error <kbd aria-hidden="true">e</kbd>
        </button>
      )}
      <button type="button" className="button button-small" onClick={() => rows.fold(ALL_OPEN)}>
        Open all
      </button>
      <button type="button" className="button button-small" onClick={() => rows.fold(ALL_FOLDED)}>
        Fold all
      </button>
      {onShowAll !== null && (
        <button type="button" className="button button-small" onClick={onShowAll}>
          Zoom out
        </button>
      )}
    </div>
  );
}

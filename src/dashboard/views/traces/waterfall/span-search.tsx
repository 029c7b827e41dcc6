import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useKeys } from "../../../ui/use-keys.ts";
import { formatCount } from "../../../ui/words.ts";
import type { SpanTree } from "../tree/build-tree.ts";
import { findMatches, findNext } from "../tree/find-nodes.ts";

export type SpanSearchProps = {
  tree: SpanTree;
  /** The current node, after which the next one is found. */
  node: number | null;
  onFind: (node: number) => void;
};

/** Finds spans by name or id. Enter goes to the next one. */
export function SpanSearch({ tree, node, onFind }: SpanSearchProps) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState("");
  const matches = useMemo(() => findMatches(tree, typed), [tree, typed]);
  const place = node === null ? -1 : matches.indexOf(node);
  useKeys({ "/": () => input.current?.focus() });

  function onKeyDown({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
    const next = key === "Enter" ? findNext(tree, matches, node) : undefined;
    if (next !== undefined) onFind(next);
    if (key === "Escape") currentTarget.blur();
  }

  return (
    <search className="traces-search">
      <input
        ref={input}
        className="input"
        type="search"
        aria-label="Find a span"
        placeholder="Find a span   /"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={onKeyDown}
      />
      <span className="small soft" role="status">
        {typed.trim() !== "" &&
          (place === -1
            ? formatCount(matches.length, "match", "matches")
            : `${place + 1} of ${matches.length}`)}
      </span>
    </search>
  );
}

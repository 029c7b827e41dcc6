import type { KeyboardEvent, MouseEvent } from "react";
import type { SpanTree } from "../tree/build-tree.ts";
import { move } from "../tree/move.ts";
import type { Rows } from "./use-rows.ts";

/** What keys and clicks in the rows of a waterfall do: they go to rows, toggle them and choose one. */
export function createRowActs(tree: SpanTree, rows: Rows, onChoose: (node: number) => void) {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { node, folding, shown } = rows;
    const to = move(event.key, { tree, folding, rows: shown, node });
    if (node !== null && event.key === "Enter") onChoose(node);
    else if (node !== null && to === "toggle") rows.toggle(node);
    else if (to !== null && to !== "toggle") rows.goTo(to.node);
    else return;
    event.preventDefault();
  }

  function onClick({ target }: MouseEvent): void {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-node]") : null;
    if (row === null || !(target instanceof Element)) return;
    const node = Number(row.dataset["node"]);
    if (target.closest("[data-fold]") === null) onChoose(node);
    else rows.toggle(node);
  }

  return { onKeyDown, onClick };
}

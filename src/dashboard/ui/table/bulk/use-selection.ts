import { useState } from "react";

/** The rows that are selected: of the page, and of the whole list if it was read. */
export type Selection<Node> = {
  selected: readonly Node[];
  isSelected: (node: Node) => boolean;
  /** Whether all rows of the page are selected. */
  isAll: boolean;
  toggle: (node: Node) => void;
  toggleAll: () => void;
  /** Selects rows that may be on other pages. */
  selectRows: (rows: readonly Node[]) => void;
  clear: () => void;
};

/** What is selected: keys, and the rows that were not read from the page. */
type State<Node> = { keys: ReadonlySet<string>; rows: readonly Node[] };

/** Rows that leave the page are no longer selected, unless they were selected with the whole list. */
export function useSelection<Node>(nodes: readonly Node[], getKey: (node: Node) => string): Selection<Node> {
  const [{ keys, rows }, setState] = useState<State<Node>>({ keys: new Set(), rows: [] });
  const onPage = new Set(nodes.map(getKey));
  const all = [...nodes, ...rows.filter((row) => !onPage.has(getKey(row)))];
  const selected = all.filter((node) => keys.has(getKey(node)));
  const isAll = nodes.length > 0 && nodes.every((node) => keys.has(getKey(node)));
  return {
    selected,
    isAll,
    isSelected: (node) => keys.has(getKey(node)),
    toggle: (node) => {
      const key = getKey(node);
      const others = selected.map(getKey).filter((each) => each !== key);
      setState({ keys: new Set(keys.has(key) ? others : [...others, key]), rows });
    },
    toggleAll: () => setState({ keys: new Set(isAll ? [] : onPage), rows: [] }),
    selectRows: (chosen) => setState({ keys: new Set(chosen.map(getKey)), rows: chosen }),
    clear: () => setState({ keys: new Set(), rows: [] }),
  };
}

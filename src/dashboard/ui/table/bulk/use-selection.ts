import { useState } from "react";

/** The rows that are selected on a page. */
export type Selection<Node> = {
  selected: readonly Node[];
  isSelected: (node: Node) => boolean;
  isAll: boolean;
  toggle: (node: Node) => void;
  toggleAll: () => void;
  clear: () => void;
};

/** Rows that leave the page are no longer selected. */
export function useSelection<Node>(nodes: readonly Node[], getKey: (node: Node) => string): Selection<Node> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const selected = nodes.filter((node) => keys.has(getKey(node)));
  const isAll = nodes.length > 0 && selected.length === nodes.length;
  return {
    selected,
    isAll,
    isSelected: (node) => keys.has(getKey(node)),
    toggle: (node) => {
      const key = getKey(node);
      const others = selected.map(getKey).filter((each) => each !== key);
      setKeys(new Set(keys.has(key) ? others : [...others, key]));
    },
    toggleAll: () => setKeys(new Set(isAll ? [] : nodes.map(getKey))),
    clear: () => setKeys(new Set()),
  };
}

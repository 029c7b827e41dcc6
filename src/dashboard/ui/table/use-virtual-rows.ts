import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useLayoutEffect, useState } from "react";

/** Which rows are rendered, and the height of the others. */
export type VirtualRows = {
  rows: number[];
  /** Pixels. */
  above: number;
  below: number;
  /** The ref callback of each row. */
  measure: (row: HTMLTableRowElement | null) => void;
  show: (index: number) => void;
};

const ROW_PX = 38;
const BEYOND = 12;

/** Renders only the visible rows and some around them. */
export function useVirtualRows(count: number, body: RefObject<HTMLTableSectionElement | null>): VirtualRows {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const box = body.current?.getBoundingClientRect();
    setTop((box?.top ?? 0) + window.scrollY);
  }, [body]);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => ROW_PX,
    overscan: BEYOND,
    scrollMargin: top,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  return {
    rows: items.map(({ index }) => index),
    above: first === undefined ? 0 : first.start - top,
    below: last === undefined ? 0 : virtual.getTotalSize() - (last.end - top),
    measure: virtual.measureElement,
    show: (index) => virtual.scrollToIndex(index),
  };
}

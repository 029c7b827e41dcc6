import { type RefObject, useEffect, useState } from "react";

/** How wide an element is, in pixels; null before it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null);
  useEffect(() => {
    const place = element.current;
    if (place === null) return undefined;
    const watch = new ResizeObserver(() => setWidth(place.clientWidth));
    watch.observe(place);
    return () => watch.disconnect();
  }, [element]);
  return width;
}

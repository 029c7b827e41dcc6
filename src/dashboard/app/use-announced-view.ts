import { type RefObject, useEffect, useRef } from "react";
import { useLocation } from "wouter";

/** Goes to the top of each view that is opened and to its heading, as a browser does with a page. */
export function useAnnouncedView(): [here: string, main: RefObject<HTMLElement | null>] {
  const [path] = useLocation();
  const main = useRef<HTMLElement>(null);
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    window.scrollTo(0, 0);
    main.current?.querySelector<HTMLElement>("h1")?.focus();
  }, [path]);
  return [path, main];
}

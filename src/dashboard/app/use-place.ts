import { useLayoutEffect, useRef } from "react";
import { useLocation } from "wouter";
import { noteNewView } from "../ui/new-view.ts";

/** The path. Each that is gone to begins at its top and at its heading, as a browser does with a page. */
export function usePlace(): string {
  const [path] = useLocation();
  const before = useRef(path);
  useLayoutEffect(() => {
    if (before.current === path) return;
    before.current = path;
    window.scrollTo(0, 0);
    noteNewView();
  }, [path]);
  return path;
}

import { useEffect, useEffectEvent } from "react";
import { useLocation } from "wouter";
import { isFreeKey } from "../../ui/use-keys.ts";
import { VIEWS } from "../views.ts";

/** How long `g` waits for the letter. */
const PATIENCE_MS = 1500;

/** `g` and then a letter opens a view. That letter does nothing else, such as approve. */
export function useGoKeys(): void {
  const [, go] = useLocation();
  const open = useEffectEvent((letter: string) => {
    const view = VIEWS.find((one) => one.letter === letter);
    if (view !== undefined) go(view.path);
  });
  useEffect(() => {
    const ends = new AbortController();
    let until = 0;
    window.addEventListener(
      "keydown",
      (event) => {
        const isSecond = event.timeStamp < until;
        // Shift alone is no letter.
        if (event.key.length > 1 || !isFreeKey(event)) return;
        until = 0;
        if (isSecond) open(event.key);
        else if (event.key === "g") until = event.timeStamp + PATIENCE_MS;
        else return;
        event.preventDefault();
        event.stopImmediatePropagation();
      },
      // Before the keys of the view.
      { signal: ends.signal, capture: true },
    );
    return () => ends.abort();
  }, []);
}

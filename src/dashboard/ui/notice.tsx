import { useEffect } from "react";
import { createStore, useStore } from "../data/store.ts";

const shown = createStore<string | null>(null);
const SHOWN_MS = 6000;

/** Tells that something was done, for a few seconds, such as "The task is canceled." */
export function showNotice(text: string): void {
  shown.set(text);
}

/** Where {@link showNotice} is shown. Stands once in the page. */
export function Notice() {
  const text = useStore(shown);
  useEffect(() => {
    if (text === null) return undefined;
    const timer = setTimeout(() => shown.set(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="told" role="status">
      {text !== null && <p className="notice notice-good">{text}</p>}
    </div>
  );
}

import { useEffect } from "react";
import { createStore, useStore } from "../data/store.ts";

const shown = createStore<string | null>(null);
const SHOWN_MS = 6000;

/** Shows a message for a few seconds, such as "Task canceled." */
export function showNotice(text: string): void {
  shown.set(text);
}

/** Renders the messages of {@link showNotice}. Use it once per page. */
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

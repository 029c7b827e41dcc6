import { useEffect, useState } from "react";

const SETTLE_MS = 150;

/** The typed text after a short pause, to avoid a request per keystroke. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

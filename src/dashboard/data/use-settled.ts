import { useEffect, useState } from "react";

const SETTLE_MS = 150;

/** What is typed, once nobody has typed for a moment: what is asked of the server with each letter otherwise. */
export function useSettled(typed: string): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(typed), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return settled;
}

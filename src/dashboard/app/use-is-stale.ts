import { liveStatus } from "../data/live/status.ts";
import { useStore } from "../data/store.ts";
import { useNow } from "../ui/use-now.ts";

const STALE_MS = 5000;

/** Whether what the page shows may be old: the stream has been cut for some seconds. */
export function useIsStale(): boolean {
  const now = useNow();
  const { state, heardAt } = useStore(liveStatus);
  return state !== "live" && now - heardAt > STALE_MS;
}

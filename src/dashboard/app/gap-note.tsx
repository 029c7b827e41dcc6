import { lastGap } from "../data/live/status.ts";
import { useStore } from "../data/store.ts";
import { useNow } from "../ui/use-now.ts";

const SHOWN_MS = 15_000;

/** Says that events were missed, and that everything has been read again. */
export function GapNote() {
  const at = useStore(lastGap);
  const now = useNow();
  if (at === null || now - at > SHOWN_MS) return null;
  return (
    <p className="notice notice-warn" role="status">
      Some events could not be caught up with, so everything has been read again.
    </p>
  );
}

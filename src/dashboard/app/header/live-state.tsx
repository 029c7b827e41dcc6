import { liveStatus } from "../../data/live/status.ts";
import { useStore } from "../../data/store.ts";
import { sessionEnd } from "../../data/session.ts";
import { useNow } from "../../ui/use-now.ts";
import { durationOf } from "../../ui/words.ts";

/** Whether the page shows what is, and how old it is where it does not. */
export function LiveState() {
  const now = useNow();
  const end = useStore(sessionEnd);
  const { state, heardAt } = useStore(liveStatus);
  if (end !== null) return <span className="live live-bad">Session ended</span>;
  if (state === "live") return <span className="live live-good">Live</span>;
  if (state === "connecting") return <span className="live">Connecting…</span>;
  // Read aloud once, not with every second.
  return (
    <span className="live live-warn" role="status" aria-label="Reconnecting, the data is getting old">
      <span aria-hidden="true">Reconnecting, data is {durationOf((now - heardAt) / 1000)} old</span>
    </span>
  );
}

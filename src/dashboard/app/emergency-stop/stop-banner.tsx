import { useViewer } from "../../data/viewer.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { ReleaseButton } from "./release-button.tsx";

/** Says above every view that all agents are stopped. */
export function StopBanner() {
  const { emergencyStop } = useViewer();
  if (emergencyStop === null) return null;
  return (
    <section className="notice notice-bad note stop-banner" aria-label="Emergency stop">
      <div>
        <p className="notice-title">All agents are stopped.</p>
        <p>
          {emergencyStop.reason} · <TimeAgo at={emergencyStop.at} />
        </p>
      </div>
      <ReleaseButton />
    </section>
  );
}

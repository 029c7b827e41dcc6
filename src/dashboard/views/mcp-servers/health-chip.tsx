import { type ChipTone, StatusChip } from "../../ui/status-chip.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import type { ShownServer } from "./server-fields.ts";

const TONES: Readonly<Record<ShownServer["health"], ChipTone>> = {
  UNKNOWN: "plain",
  OK: "good",
  DOWN: "bad",
  CREDENTIAL_REFUSED: "bad",
  CREDENTIAL_UNREADABLE: "bad",
};

/** What the last request to a server has shown, and when that changed or its tools were last read. */
export function HealthChip({ server }: { server: Pick<ShownServer, "health" | "healthAt"> }) {
  const { health, healthAt } = server;
  if (health === "UNKNOWN") return <StatusChip status="NOT_ASKED_YET" tone="plain" />;
  return (
    <span className="in-line">
      <StatusChip status={health} tone={TONES[health]} />
      <span className="small soft">
        <TimeAgo at={healthAt} />
      </span>
    </span>
  );
}

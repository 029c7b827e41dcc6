import type { ChipTone } from "../../ui/status-chip.tsx";
import { type Outcome, describeWould } from "./decision-words.ts";

const CHIPS: Readonly<Record<Outcome, readonly [label: string, tone: ChipTone]>> = {
  ALLOW: ["allowed", "good"],
  DENY: ["denied", "bad"],
  ASK: ["asked", "warn"],
};

/** What the gateway decided, and what it would have if monitored policies counted. */
export function OutcomeChips({ outcome, would }: { outcome: Outcome; would: Outcome | null }) {
  const [label, tone] = CHIPS[outcome];
  return (
    <span className="in-line">
      <span className={`badge badge-${tone}`}>{label}</span>
      {would !== null && <span className="badge">{describeWould(would)}</span>}
    </span>
  );
}

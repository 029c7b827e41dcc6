import { toWords } from "./words.ts";

export type ChipTone = "good" | "warn" | "bad" | "plain" | "busy";

const TONES: Readonly<Record<string, ChipTone>> = {
  ...mapTones("good", "COMPLETED SUCCEEDED ONLINE PASSED FINISHED IDLE"),
  ...mapTones("busy", "WORKING RUNNING EXECUTING ACKNOWLEDGED DELIVERED CHARGING ASSIGNED"),
  ...mapTones(
    "warn",
    "AWAITING_APPROVAL INPUT_REQUIRED AUTH_REQUIRED PAUSED STALE EXPIRED RETRIABLE WARNING URGENT",
  ),
  ...mapTones("bad", "FAILED REJECTED TIMED_OUT ERROR STOPPED ERRORED CRITICAL FATAL"),
};

/** A status as a colored label. `tone` is for states that are not in the schema. */
export function StatusChip({ status, tone }: { status: string; tone?: ChipTone }) {
  const shown = tone ?? TONES[status.toUpperCase()] ?? "plain";
  return <span className={`badge badge-${shown}`}>{toWords(status)}</span>;
}

function mapTones(tone: ChipTone, statuses: string): Record<string, ChipTone> {
  return Object.fromEntries(statuses.split(" ").map((status) => [status, tone]));
}

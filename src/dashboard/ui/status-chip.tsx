import { wordsOf } from "./words.ts";

/** What a state means to who looks: all is well, look here, something is wrong, or nothing of these. */
export type Tone = "good" | "warn" | "bad" | "plain" | "busy";

const TONES: Readonly<Record<string, Tone>> = {
  ...tonesOf("good", "COMPLETED SUCCEEDED ONLINE PASSED FINISHED IDLE"),
  ...tonesOf("busy", "WORKING RUNNING EXECUTING ACKNOWLEDGED DELIVERED CHARGING ASSIGNED"),
  ...tonesOf("warn", "INPUT_REQUIRED PAUSED STALE EXPIRED RETRIABLE WARNING URGENT"),
  ...tonesOf("bad", "FAILED REJECTED TIMED_OUT ERROR STOPPED ERRORED CRITICAL FATAL"),
};

/** A state in its colour and in words. `tone` where the state is none of the schema's. */
export function StatusChip({ status, tone }: { status: string; tone?: Tone }) {
  const shown = tone ?? TONES[status.toUpperCase()] ?? "plain";
  return <span className={`badge badge-${shown}`}>{wordsOf(status)}</span>;
}

function tonesOf(tone: Tone, statuses: string): Record<string, Tone> {
  return Object.fromEntries(statuses.split(" ").map((status) => [status, tone]));
}

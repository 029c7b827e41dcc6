import type { ChipTone } from "../../../../ui/status-chip.tsx";

/** One thing that happened around a task. */
export type TimeLineItem = {
  key: string;
  kind: "task" | "score" | "span" | "decision" | "approval" | "question" | "command";
  text: string;
  /** Where more is known of it. */
  href: string | null;
  /** How it ended, if that is worth a chip. */
  chip: readonly [label: string, tone: ChipTone] | null;
  fromMs: number;
  /** Equal to `fromMs` for what takes no time; null while it goes on. */
  toMs: number | null;
};

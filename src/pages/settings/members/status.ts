import type { Html } from "../../html.ts";
import { type NoticeTone, badge } from "../../parts/notice.ts";

export const STATUS_OPTIONS = [
  { value: "ACTIVE", title: "Active" },
  { value: "INVITED", title: "Invited" },
  { value: "SUSPENDED", title: "Suspended" },
] as const;

const TONES: Record<string, NoticeTone> = { ACTIVE: "good", INVITED: "warn", SUSPENDED: "bad" };

export function statusBadge(status: string): Html {
  return badge(
    TONES[status] ?? "plain",
    STATUS_OPTIONS.find(({ value }) => value === status)?.title ?? status,
  );
}

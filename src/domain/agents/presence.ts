import type { Presence } from "../../db/generated/client.ts";

/** How long after its last contact an agent counts as online, and how long as stale. */
export const PRESENCE_SECONDS = { online: 60, stale: 300 } as const;

/** Returns an agent's presence at an instant. */
export function getPresence(lastSeenAt: Date | string | null, now: Date): Presence {
  if (lastSeenAt === null) return "offline";
  const seconds = (now.getTime() - new Date(lastSeenAt).getTime()) / 1000;
  if (seconds < PRESENCE_SECONDS.online) return "online";
  return seconds < PRESENCE_SECONDS.stale ? "stale" : "offline";
}

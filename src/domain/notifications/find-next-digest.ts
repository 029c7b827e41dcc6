import { Cron } from "croner";
import type { NotificationSettings } from "./notification-settings.ts";

/** When the next digest is due after a time; null without digests. Where clocks are put forward over the hour, it is due then. */
export function findNextDigest(
  { digest, digestHour, timeZone }: Pick<NotificationSettings, "digest" | "digestHour" | "timeZone">,
  after: Date,
): Date | null {
  if (digest === "never") return null;
  const days = digest === "weekly" ? "MON" : "*";
  return new Cron(`0 0 ${digestHour} * * ${days}`, { timezone: timeZone }).nextRun(after);
}

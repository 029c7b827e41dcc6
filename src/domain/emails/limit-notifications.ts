import { type ThrottleServices, takeHit } from "../kernel/throttle.ts";

/** The most emails of a workspace within 15 minutes that people asked for in their settings. The rest is sent later. */
const MAX_EMAILS = 1000;

/**
 * Counts an email of a workspace that is sent because something happened there, so that nobody can make us send a flood.
 *
 * @returns false after 1,000 emails within 15 minutes.
 */
export async function mayNotify(services: ThrottleServices, workspaceId: string): Promise<boolean> {
  return (await takeHit(services, { key: `notifications:${workspaceId}`, limit: MAX_EMAILS })) !== null;
}

import type { Html } from "../../html.ts";
import { badge } from "../../parts/notice.ts";

/** What of a key tells how it stands. */
export type KeyLife = {
  expiresAt: string | null;
  revokedAt: string | null;
  rotatedToUuid: string | null;
};

/** Whether a key still opens anything. */
export function isKeyActive({ expiresAt, revokedAt }: Omit<KeyLife, "rotatedToUuid">, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
}

/** How a key stands, as a badge. */
export function keyStatus(key: KeyLife, now: Date): Html {
  if (key.revokedAt !== null) return badge("bad", "Revoked");
  if (!isKeyActive(key, now)) return badge("bad", "Expired");
  return key.rotatedToUuid === null ? badge("good", "Active") : badge("warn", "Rotated, ends soon");
}

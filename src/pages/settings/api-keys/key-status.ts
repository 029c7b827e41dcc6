import type { Html } from "../../html.ts";
import { badge } from "../../parts/notice.ts";

/** The fields that determine a key's status. */
export type KeyLife = {
  expiresAt: string | null;
  revokedAt: string | null;
  rotatedToUuid: string | null;
};

/** Whether a key is still valid. */
export function isKeyActive({ expiresAt, revokedAt }: Omit<KeyLife, "rotatedToUuid">, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || new Date(expiresAt) > now);
}

export function keyStatus(key: KeyLife, now: Date): Html {
  if (key.revokedAt !== null) return badge("bad", "Revoked");
  if (!isKeyActive(key, now)) return badge("bad", "Expired");
  return key.rotatedToUuid === null ? badge("good", "Active") : badge("warn", "Rotated, expires soon");
}

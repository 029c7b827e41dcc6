import type { SealedBox } from "../secrets/sealed-box.ts";
import { getSealedPlace } from "../secrets/sealed-columns.ts";

/** What a session keeps of its provider, by which either side ends it. */
export type ProviderSession = {
  /** The provider's id of the session there, if it told one. */
  sid: string | null;
  /** The ID token that it issued; null if it can't be kept. */
  sealedIdToken: Uint8Array<ArrayBuffer> | null;
};

type Box = { sealedBox: SealedBox | null };
type Family = { workspaceId: string; familyId: string };

/** It becomes a part of a URL, and longer ones are refused by servers. */
const ID_TOKEN_LENGTH = 6000;
const SID_LENGTH = 255;

/** Keeps what the provider told of a session, as far as it can be kept. */
export function keepProviderSession(
  { sealedBox }: Box,
  family: Family,
  { sid, idToken }: { sid: unknown; idToken: string },
): ProviderSession {
  const isKept = sealedBox !== null && idToken.length <= ID_TOKEN_LENGTH;
  return {
    sid: typeof sid === "string" && sid.length <= SID_LENGTH && !sid.includes("\0") ? sid : null,
    sealedIdToken: isKept ? sealedBox.seal(idToken, getPlace(family)) : null,
  };
}

/** Reads the ID token of a session; null without one. */
export function openIdToken(
  { sealedBox }: Box,
  { sealedIdToken, ...family }: Family & { sealedIdToken: Uint8Array | null },
): string | null {
  return sealedIdToken === null ? null : (sealedBox?.open(sealedIdToken, getPlace(family)) ?? null);
}

/** The rows of a family share it. */
function getPlace({ workspaceId, familyId }: Family): readonly string[] {
  const column = { table: "users_tokens", column: "sealed_id_token" };
  return getSealedPlace(column, { workspaceId, id: familyId });
}

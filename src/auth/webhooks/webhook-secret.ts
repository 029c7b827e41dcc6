import { randomBytes } from "node:crypto";
import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import type { SealedBox } from "../secrets/sealed-box.ts";
import { getSealedPlace } from "../secrets/sealed-columns.ts";
import { getUpstreamServices } from "../upstream/upstream-services.ts";

/** The columns of endpoints' secrets: the newest one, and the one before during a rotation. */
export const SECRET = { table: "webhook_endpoint", column: "sealed_secret" } as const;
export const PREVIOUS_SECRET = { table: "webhook_endpoint", column: "sealed_previous_secret" } as const;

const SECRET_BYTES = 32;

type Owner = { workspaceId: string; id: string };

/** Makes a secret in the form of Standard Webhooks. @see https://github.com/standard-webhooks/standard-webhooks */
export function createWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
}

/** @throws {DomainError} invalid_state if this server has no key for secrets. */
export function requireSealedBox(ctx: Ctx): SealedBox {
  const { sealedBox } = getUpstreamServices(ctx);
  if (sealedBox !== null) return sealedBox;
  throw new DomainError(
    "invalid_state",
    "Webhooks require a server with a key for secrets: set SECRETS_KEY there, then try again.",
  );
}

/** Seals an endpoint's secret for its row; a chat's is its URL. */
export function sealWebhookSecret(box: SealedBox, owner: Owner, secret: string): Uint8Array<ArrayBuffer> {
  return box.seal(secret, getSealedPlace(SECRET, owner));
}

/** An endpoint's secrets, as they are stored. */
export type SealedWebhookSecrets = Owner & {
  sealedSecret: Uint8Array;
  /** Null if it does not sign any more. */
  sealedPreviousSecret: Uint8Array | null;
};

/** The secrets that sign now, the newest first. Those that no key opens are left out. */
export function openWebhookSecrets(endpoint: SealedWebhookSecrets, box: SealedBox | null): string[] {
  const { sealedSecret, sealedPreviousSecret } = endpoint;
  return [
    { sealed: sealedSecret, column: SECRET },
    { sealed: sealedPreviousSecret, column: PREVIOUS_SECRET },
  ].flatMap(({ sealed, column }) =>
    sealed === null ? [] : (box?.open(sealed, getSealedPlace(column, endpoint)) ?? []),
  );
}

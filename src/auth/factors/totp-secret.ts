import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { getSealedPlace } from "../secrets/sealed-columns.ts";
import { getUpstreamServices } from "../upstream/upstream-services.ts";

const COLUMN = { table: "totp_factor", column: "sealed_secret" };

/**
 * Seals the secret of an authenticator app for its row.
 *
 * @throws {DomainError} invalid_state if this server has no key.
 */
export function sealTotpSecret(ctx: Ctx, id: string, secret: string): Uint8Array<ArrayBuffer> {
  const { sealedBox } = getUpstreamServices(ctx);
  if (sealedBox !== null) {
    return sealedBox.seal(secret, getSealedPlace(COLUMN, { workspaceId: ctx.workspaceId, id }));
  }
  throw new DomainError(
    "invalid_state",
    "This server has no key to keep the app's secret. Whoever runs it sets SECRETS_KEY.",
  );
}

/** Opens the secret. Returns null if this server does not have the key. */
export function openTotpSecret(
  ctx: Ctx,
  { id, sealedSecret }: { id: string; sealedSecret: Uint8Array },
): string | null {
  const { sealedBox } = getUpstreamServices(ctx);
  const place = getSealedPlace(COLUMN, { workspaceId: ctx.workspaceId, id });
  const secret = sealedBox?.open(sealedSecret, place) ?? null;
  if (secret === null) ctx.log.error({ factor: id }, "no key opens the secret of an authenticator app");
  return secret;
}

import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError, createFieldError } from "../../domain/kernel/errors.ts";
import { requireSudo, requireUser } from "../../domain/kernel/guard.ts";
import { sealTotpSecret } from "./totp-secret.ts";
import { createTotpSecret, toTotpUri } from "./totp.ts";

/** How long it may take to add an app, in seconds. */
const SETUP_SECONDS = 900;
const SETUP_LENGTH = 1000;

/** What an authenticator app needs: the secret in base32 and as an otpauth:// URI. `setup` comes back with its code. */
export type TotpSetup = { secret: string; uri: string; setup: string };

/**
 * Begins to add an authenticator app. Nothing is stored: the caller brings the secret back, sealed, with the first
 * code.
 *
 * @param again the `setup` of an earlier call, to show it again; null for a new secret.
 * @throws {DomainError} forbidden unless the caller is a person; sudo_required; invalid_state if there is an app
 *   already, or this server has no key; validation_failed at `setup` if it is not the caller's or 15 minutes old.
 */
export async function beginTotp(ctx: Ctx, again: string | null = null): Promise<TotpSetup> {
  const { id } = requireUser(ctx);
  requireSudo(ctx, "viewer");
  const { workspaceId, db } = ctx;
  const person = await db.user.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId, id } },
    select: { email: true, userName: true, totpFactor: { select: { id: true } }, workspace: true },
  });
  if (person.totpFactor !== null) throw createTakenError();
  const secret = again === null ? createTotpSecret() : await openTotpSetup(ctx, again);
  // Refused before anybody scans in vain.
  sealTotpSecret(ctx, id, secret);
  const seconds = SETUP_SECONDS;
  const setup =
    again ?? (await ctx.services.clientStates.seal({ secret }, { binding: getBinding(ctx), seconds }));
  const named = { account: person.email ?? person.userName ?? id, place: person.workspace.name };
  return { secret, uri: toTotpUri(secret, named), setup };
}

/**
 * Opens what {@link beginTotp} has sealed. Returns the secret.
 *
 * @throws {DomainError} validation_failed at `setup` if it is not the caller's or 15 minutes old.
 */
export async function openTotpSetup(ctx: Ctx, setup: string): Promise<string> {
  const { clientStates } = ctx.services;
  const state = setup.length > SETUP_LENGTH ? null : await clientStates.open(setup, getBinding(ctx));
  if (state === null) throw createFieldError("setup", "has expired: start again");
  // Only beginTotp can have sealed it.
  return (state as { secret: string }).secret;
}

function getBinding(ctx: Ctx): readonly string[] {
  return ["authenticator app", ctx.workspaceId, requireUser(ctx).id];
}

/** The error for a second authenticator app. */
export function createTakenError(): DomainError {
  return new DomainError("invalid_state", "You have an authenticator app already. Remove it first.");
}

import type { Ctx } from "../../domain/kernel/context.ts";
import { DomainError } from "../../domain/kernel/errors.ts";
import { requireSudo, requireUser } from "../../domain/kernel/guard.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { createCreationOptions } from "../vendor/webauthn.ts";
import { createChallenge } from "./challenges.ts";
import { listKnownPasskeys } from "./known-passkeys.ts";
import { requireSite } from "./site.ts";

/**
 * Begins to add a passkey.
 *
 * @returns the options for the browser, as PublicKeyCredentialCreationOptionsJSON. They are good for five minutes.
 * @throws {DomainError} forbidden unless the caller is a person; sudo_required; invalid_state where there are no
 *   passkeys, or with ten of them.
 * @see https://www.w3.org/TR/webauthn-3/#dictdef-publickeycredentialcreationoptionsjson
 */
export async function beginPasskey(ctx: Ctx): Promise<object> {
  const { id, name } = requireUser(ctx);
  requireSudo(ctx, "viewer");
  const site = requireSite(ctx.services);
  const { email, userName } = await ctx.db.user.findUniqueOrThrow({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
    select: { email: true, userName: true },
  });
  const known = await listKnownPasskeys(ctx.read, { workspaceId: ctx.workspaceId, userId: id });
  requireRoom(known.length);
  const challenge = await createChallenge(ctx.run, { purpose: "add", subject: id });
  const user = { id, name: email ?? userName ?? id, displayName: name };
  return createCreationOptions({ site, challenge, user }, known);
}

/** @throws {DomainError} invalid_state if there is no room for another passkey. */
export function requireRoom(count: number): void {
  if (count < LIMITS.passkeysPerPerson) return;
  throw new DomainError(
    "invalid_state",
    `You have ${LIMITS.passkeysPerPerson} passkeys. Remove one before you add another.`,
  );
}

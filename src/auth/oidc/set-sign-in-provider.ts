import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { SignInProvider } from "../../db/generated/client.ts";
import { createActorRecord } from "../../domain/kernel/actor.ts";
import type { Ctx, Transaction } from "../../domain/kernel/context.ts";
import { createFieldError } from "../../domain/kernel/errors.ts";
import { append } from "../../domain/kernel/events.ts";
import { requireSudo } from "../../domain/kernel/guard.ts";
import { parseInput, text } from "../../domain/kernel/input.ts";
import { LIMITS } from "../../domain/kernel/limits.ts";
import { lockWorkspace } from "../../domain/workspaces/lock-workspace.ts";
import { getSealedPlace } from "../secrets/sealed-columns.ts";
import { getUpstreamServices } from "../upstream/upstream-services.ts";
import { describeProvider } from "./describe-sign-in.ts";
import { endMemberSessions } from "./end-member-sessions.ts";
import { type Enforcement, chooseEnforcement, enforce } from "./enforce-sign-in.ts";

/** Kept as entered: the provider's documents must name exactly this text. */
const issuer = text(LIMITS.urlLength)
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    message: "must be a URL that begins with https://",
    abort: true,
  })
  .refine((value) => isPlain(new URL(value)), "must not contain a user, a query or a fragment");

const shape = z.object({
  issuer,
  clientId: text(LIMITS.clientIdLength).regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters"),
  /** Null for none. Absent keeps the one before, if issuer and client are the same. */
  clientSecret: text(LIMITS.secretLength)
    .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters")
    .nullish(),
  createsViewers: z.boolean().default(false),
  /** Whether members log in by the provider alone. Absent keeps it. */
  enforced: z.boolean().optional(),
  /** The owner whose password works nevertheless. Absent keeps it; the first time it is the caller. */
  breakGlassOwnerId: z.uuid().optional(),
});

type Fields = z.output<typeof shape>;

/**
 * Sets the provider at which the workspace's people sign in. With another issuer nobody is known any more by their
 * identity at the one before. With another issuer or client, all sessions that began at the provider end. Where sign-in
 * is enforced, all that began with a password end, except the break-glass owner's and the caller's own. Nothing is asked
 * of the provider yet.
 *
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required; validation_failed, also if this server
 *   has no key to seal the secret, if owners can't sign in by a provider that is enforced, or if no owner can break the
 *   glass.
 */
export async function setSignInProvider(ctx: Ctx, input: z.input<typeof shape>): Promise<SignInProvider> {
  requireSudo(ctx, "admin");
  const { enforced, breakGlassOwnerId, ...fields } = parseInput(shape, input);
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const before = await tx.db.signInProvider.findFirst();
    const isSame = before?.issuer === fields.issuer;
    const enforcement = await chooseEnforcement(tx, { enforced, breakGlassOwnerId }, before);
    if (before !== null && !isSame) await remove(tx, before);
    const provider = await write(tx, isSame ? before : null, { ...fields, ...enforcement });
    append(tx, describeSet(provider, isSame ? null : before));
    if (before !== null && !(isSame && before.clientId === fields.clientId)) {
      append(tx, await endMemberSessions(tx, { providerId: before.id }, "provider_changed"));
    }
    if (provider.enforced) append(tx, await enforce(tx, provider));
    return provider;
  }, "urgent");
}

function describeSet(provider: SignInProvider, replaced: SignInProvider | null) {
  const { clientId, createsViewers, servesOwners, sealedClientSecret, enforced, breakGlassUserId } = provider;
  return describeProvider("sign_in_provider.set", provider, {
    client_id: clientId,
    creates_viewers: createsViewers,
    serves_owners: servesOwners,
    has_client_secret: sealedClientSecret !== null,
    replaces: replaced?.issuer ?? null,
    enforced,
    break_glass_user_id: breakGlassUserId,
  });
}

async function write(
  tx: Transaction,
  before: SignInProvider | null,
  fields: Omit<Fields, "enforced" | "breakGlassOwnerId"> & Enforcement,
): Promise<SignInProvider> {
  const { ctx, db } = tx;
  const { workspaceId } = ctx;
  const { clientSecret, ...plain } = fields;
  const id = before?.id ?? uuidv7();
  const kept = before?.clientId === fields.clientId ? before.sealedClientSecret : null;
  const sealedClientSecret =
    clientSecret === undefined ? kept && new Uint8Array(kept) : seal(ctx, id, clientSecret);
  const [now, by] = [await tx.now(), createActorRecord(ctx.actor)];
  const data = { ...plain, sealedClientSecret, updatedBy: by, updatedAt: now };
  if (before === null) {
    const own = { workspaceId, id, servesOwners: isOwner(ctx), createdBy: by, createdAt: now };
    return db.signInProvider.create({ data: { ...data, ...own } });
  }
  return db.signInProvider.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: {
      ...data,
      servesOwners: before.servesOwners || isOwner(ctx),
      generation: before.generation + 1,
    },
  });
}

/** Whoever chooses the issuer can become everybody whom it vouches for. */
function isOwner({ actor }: Ctx): boolean {
  return actor.type === "system" || (actor.type === "user" && actor.role === "owner");
}

function seal(ctx: Ctx, id: string, secret: string | null): Uint8Array<ArrayBuffer> | null {
  if (secret === null) return null;
  const { sealedBox } = getUpstreamServices(ctx);
  const { workspaceId } = ctx;
  if (sealedBox !== null) return sealedBox.seal(secret, getClientSecretPlace({ workspaceId, id }));
  throw createFieldError(
    "clientSecret",
    "requires a server with a key for secrets: set SECRETS_KEY there, then try again",
  );
}

/** What the secret of a provider is sealed for. */
export function getClientSecretPlace(provider: { workspaceId: string; id: string }): readonly string[] {
  return getSealedPlace({ table: "sign_in_provider", column: "sealed_client_secret" }, provider);
}

/**
 * Deletes the provider, and ends all sessions that began there. Its people log in with their passwords, as far as they
 * have them.
 *
 * @returns the deleted provider; null if there was none.
 * @throws {DomainError} forbidden below admin, and for agents; sudo_required.
 */
export async function deleteSignInProvider(ctx: Ctx): Promise<SignInProvider | null> {
  requireSudo(ctx, "admin");
  return ctx.transaction(async (tx) => {
    await lockWorkspace(tx);
    const provider = await tx.db.signInProvider.findFirst();
    if (provider === null) return null;
    await remove(tx, provider);
    append(tx, describeProvider("sign_in_provider.deleted", provider));
    append(tx, await endMemberSessions(tx, { providerId: provider.id }, "provider_deleted"));
    return provider;
  }, "urgent");
}

async function remove({ db, ctx }: Transaction, { id }: SignInProvider): Promise<void> {
  const { workspaceId } = ctx;
  await db.signInProvider.delete({ where: { workspaceId_id: { workspaceId, id } } });
}

function isPlain({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].every((part) => part === "");
}

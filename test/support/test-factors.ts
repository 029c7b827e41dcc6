import { randomBytes } from "node:crypto";
import type { TestPerson } from "./people.ts";
import type { TestServer } from "./server.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";

/** Gives a person second factors that nobody can use, and a log-in that waits for them. */
export async function insertFactorRows(ctx: Ctx, userId: string): Promise<void> {
  const own = { workspaceId: ctx.workspaceId, userId };
  const digest = () => new Uint8Array(randomBytes(32));
  await ctx.db.totpFactor.create({
    data: { ...own, id: crypto.randomUUID(), sealedSecret: digest(), lastStep: 0 },
  });
  await ctx.db.recoveryCode.create({ data: { ...own, digest: digest() } });
  await ctx.db.passkey.create({
    data: {
      ...{ ...own, id: crypto.randomUUID(), name: "x", credentialId: crypto.randomUUID() },
      ...{ publicKey: digest(), counter: 0, transports: [] },
    },
  });
  const times = { createdAt: new Date(), expiresAt: new Date(Date.now() + 600_000) };
  await ctx.db.pendingLogIn.create({
    data: { ...own, digest: digest(), authEpoch: 0, remembered: false, returnTo: "/", ...times },
  });
}

/** Gives a person a second factor that nobody can use. Nothing else changes. */
export async function giveFactor({ database }: TestServer, { workspaceId, id }: TestPerson): Promise<void> {
  await database.query(
    `INSERT INTO totp_factor (workspace_id, id, user_id, sealed_secret, last_step)
     VALUES ($1, gen_random_uuid(), $2, '\\x00', 0)`,
    [workspaceId, id],
  );
  await database.query('UPDATE "user" SET second_factor_at = now() WHERE id = $1', [id]);
}

/** Gives a person a passkey that nobody can use. Nothing else changes. @returns its id. */
export async function givePasskey(
  { database }: TestServer,
  { workspaceId, id }: TestPerson,
): Promise<string> {
  const passkeyId = crypto.randomUUID();
  await database.query(
    `INSERT INTO passkey (workspace_id, id, user_id, name, credential_id, public_key, counter)
     VALUES ($1, $2, $3, 'Old', $4, '\\x00', 0)`,
    [workspaceId, passkeyId, id, passkeyId],
  );
  return passkeyId;
}

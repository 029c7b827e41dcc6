import { v7 as uuidv7 } from "uuid";
import type { ApiKey } from "../../db/generated/client.ts";
import { createActorRecord } from "../../domain/kernel/actor.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import type { Scope } from "../../domain/kernel/scopes.ts";
import { createApiKeySecret } from "../credentials.ts";

/** An API key to be. */
export type NewApiKey = {
  agentId: string;
  name: string;
  scopes: Scope[];
  primary: boolean;
  expiresAt: Date | null;
  /** Addresses and networks; empty for everywhere. */
  ipAllowlist?: string[];
  /** Of the key whose place it takes; its own where it is left out. */
  lineageId?: string;
};

/** Inserts an API key. `secret` is the whole key: it is returned here and stored nowhere. */
export async function insertApiKey(
  { db, ctx }: Transaction,
  input: NewApiKey,
): Promise<{ apiKey: ApiKey; secret: string }> {
  const { secret, publicId, digest, last4 } = createApiKeySecret();
  const id = uuidv7();
  const apiKey = await db.apiKey.create({
    data: {
      lineageId: id,
      ...input,
      workspaceId: ctx.workspaceId,
      id,
      publicId,
      digest,
      last4,
      createdBy: createActorRecord(ctx.actor),
      ...(ctx.now !== null && { createdAt: ctx.now }),
    },
  });
  return { apiKey, secret };
}

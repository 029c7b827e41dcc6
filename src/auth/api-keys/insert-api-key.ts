import { v7 as uuidv7 } from "uuid";
import type { ApiKey } from "../../db/generated/client.ts";
import { createActorRecord } from "../../domain/kernel/actor.ts";
import type { Transaction } from "../../domain/kernel/context.ts";
import { getFixedTimes } from "../../domain/kernel/get-fixed-times.ts";
import type { Scope } from "../../domain/kernel/scopes.ts";
import { createApiKeySecret } from "../credentials.ts";

/** The input of {@link insertApiKey}. */
export type NewApiKey = {
  agentId: string;
  name: string;
  scopes: Scope[];
  primary: boolean;
  expiresAt: Date | null;
  /** Addresses and networks. Empty allows all. */
  ipAllowlist?: string[];
  /** The lineage of the key that it replaces. Default: a new one. */
  lineageId?: string;
};

/** Inserts an API key. `secret`, the whole key, is returned here and stored nowhere. */
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
      ...getFixedTimes(ctx, "createdAt"),
    },
  });
  return { apiKey, secret };
}

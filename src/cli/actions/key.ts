import type { ApiKeyView } from "../../auth/api-keys/api-key-view.ts";
import { listApiKeys } from "../../auth/api-keys/list-api-keys.ts";
import { listAll } from "../list-all.ts";
import { tableLines } from "../table-lines.ts";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../auth/api-keys/revoke-api-key.ts";
import { parseId, openWorkspace } from "../open-workspace.ts";
import type { CommandContext } from "../run-command.ts";
import type { CommandAnswer } from "../terminal.ts";

type CreateOptions = { workspace: string; scopes: string[]; name: string; agent?: string };

export async function runKeyCreate(
  { services }: CommandContext,
  { workspace, scopes, name, agent }: CreateOptions,
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const { apiKey, secret } = await createApiKey(ctx, { name, scopes, agentHandle: agent ?? null });
  return {
    json: { key_id: apiKey.id, api_key: secret },
    lines: [
      `Created an API key with ${apiKey.scopes.join(", ")}.`,
      `  Key id   ${apiKey.id}`,
      `  API key  ${secret}`,
    ],
    shownOnce: true,
  };
}

/** Revokes an API key and every token that it minted. */
export async function runKeyRevoke(
  { services }: CommandContext,
  { workspace, key }: { workspace: string; key: string },
): Promise<CommandAnswer> {
  const keyId = parseId("key", key);
  const ctx = await openWorkspace(services, workspace);
  await revokeApiKey(ctx, keyId);
  return { json: { key_id: keyId }, lines: [`The API key ${keyId} and all of its tokens are revoked.`] };
}

/** Lists a workspace's API keys without their secrets, except the last four characters. */
export async function runKeyList(
  { services }: CommandContext,
  { workspace }: { workspace: string },
): Promise<CommandAnswer> {
  const ctx = await openWorkspace(services, workspace);
  const keys = (await listAll<ApiKeyView>((page) => listApiKeys(ctx, page))).map(keyJson);
  return {
    json: { keys, count: keys.length },
    lines: tableLines(
      ["Key id", "Name", "Agent", "Ends with", "State", "Scopes"],
      keys.map(({ id, name, agent, last4, state, scopes }) => [
        id,
        name,
        agent,
        last4,
        state,
        scopes.join(","),
      ]),
    ),
  };
}

function keyJson(key: Awaited<ReturnType<typeof listAll<ApiKeyView>>>[number]) {
  const { id, name, agentHandle: agent, last4, primary, scopes, createdAt, expiresAt, revokedAt } = key;
  const isExpired = expiresAt !== null && new Date(expiresAt) <= new Date();
  const state = revokedAt !== null ? "revoked" : isExpired ? "expired" : "active";
  return {
    id,
    name,
    agent,
    last4,
    primary,
    scopes,
    state,
    created_at: createdAt,
    expires_at: expiresAt,
    revoked_at: revokedAt,
  };
}

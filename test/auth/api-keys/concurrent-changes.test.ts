import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAgentToken } from "../../../src/auth/agent-tokens/create-agent-token.ts";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../../src/auth/api-keys/revoke-api-key.ts";
import { rotateApiKey } from "../../../src/auth/api-keys/rotate-api-key.ts";
import { createSocketToken } from "../../../src/auth/socket-tokens/create-socket-token.ts";
import { findToken } from "../../../src/auth/tokens/find-token.ts";
import type { ApiKey } from "../../../src/db/generated/client.ts";
import type { AgentCredential } from "../../../src/domain/kernel/actor.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { type HeldLock, holdLock } from "../../support/locked-table.ts";
import { createPerson } from "../../support/people.ts";
import { personCtx } from "../../support/person-ctx.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

let server: TestServer;
let ctx: Ctx;
let person: { id: string; workspaceId: string };

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  const { workspaceId } = await server.createWorkspace();
  ctx = server.systemCtx(workspaceId);
  await ctx.db.workspace.updateMany({ data: { revokesKeysOfSuspendedCreator: true } });
  person = await createPerson(server, workspaceId, { role: "admin" });
});

type Table = '"user"' | "agent" | "agent_token" | "api_key";

function holdRow(table: Table, id: string): Promise<HeldLock> {
  return holdLock(server.database, `SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
}

/** Locks a row in the transaction of a lock. Fails if another transaction has it. */
function lockAlso(held: HeldLock, table: Table, id: string): Promise<void> {
  return held.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE NOWAIT`, [id]);
}

/** A key that the person created, with one token. */
async function createKey() {
  const by = personCtx(server, person, { role: "admin" });
  const { apiKey } = await createApiKey(by, { name: "A key", scopes: ["tasks:read"] });
  const { agentToken } = await createAgentToken(agentCtx(apiKey, "api_key", apiKey.id), {});
  return { apiKey, agentToken, byToken: agentCtx(apiKey, "agent_token", agentToken.id) };
}

function agentCtx(
  { id: apiKeyId, agentId, lineageId }: ApiKey,
  kind: AgentCredential["kind"],
  id: string,
): Ctx {
  const scopes = new Set(["tasks:read"] as const);
  const parent = { kind: "api_key" as const, id: apiKeyId };
  const credential = { kind, id, parent, lineageId, expiresAt: null };
  return openCtx(server.services, {
    ...ctx,
    actor: { type: "agent", id: agentId, name: "An agent", scopes, credential },
  });
}

async function isActive(secret: string): Promise<boolean | undefined> {
  return (await findToken(ctx, secret))?.isActive;
}

describe("rotateApiKey", () => {
  it("leaves no valid key of somebody who is suspended at the same time", async () => {
    const { apiKey } = await createApiKey(ctx, { name: "A key", scopes: ["tasks:read"] });
    const { agentToken } = await createAgentToken(agentCtx(apiKey, "api_key", apiKey.id), {});
    const token = await holdRow("agent_token", agentToken.id);
    const rotated = rotateApiKey(personCtx(server, person, { role: "admin" }), apiKey.id);
    // The new key is inserted, and the tokens are about to be moved to it.
    await token.waiters(1);
    const suspended = deactivateUser(ctx, person.id);
    await token.waiters(2);
    await token.release();
    await suspended;
    expect(await isActive((await rotated).secret)).toBe(false);
  });
});

describe("createSocketToken", () => {
  it("mints for an access token whose key is rotated at the same time", async () => {
    const { apiKey, agentToken, byToken } = await createKey();
    const token = await holdRow("agent_token", agentToken.id);
    const rotated = rotateApiKey(ctx, apiKey.id, { overlapSeconds: 0 });
    await token.waiters(1);
    const minted = createSocketToken(byToken, {});
    await token.waiters(2);
    await token.release();
    const { socketToken, secret } = await minted;
    expect(socketToken.apiKeyId).toBe((await rotated).apiKey.id);
    expect(await isActive(secret)).toBe(true);
  });

  it("mints a token that a rotation of the key moves to the new one", async () => {
    const { apiKey, byToken } = await createKey();
    // The new row waits for its agent.
    const agent = await holdRow("agent", apiKey.agentId);
    const minted = createSocketToken(byToken, {});
    await agent.waiters(1);
    const rotated = rotateApiKey(ctx, apiKey.id, { overlapSeconds: 0 });
    await agent.waiters(2);
    await agent.release();
    await rotated;
    expect(await isActive((await minted).secret)).toBe(true);
  });

  it.each<[string, (apiKey: ApiKey) => Promise<void>]>([
    ["whose creator is suspended", () => deactivateUser(ctx, person.id)],
    ["which is revoked", ({ id }) => revokeApiKey(ctx, id)],
  ])("leaves no token of a key %s at the same time", async (_what, end) => {
    const { apiKey, byToken } = await createKey();
    const agent = await holdRow("agent", apiKey.agentId);
    const minted = createSocketToken(byToken, {});
    await agent.waiters(1);
    const ended = end(apiKey);
    await agent.waiters(2);
    await agent.release();
    await Promise.all([minted, ended]);
    expect(await ctx.db.socketToken.count()).toBe(0);
  });
});

/** Copies a key as a successor whose id is lower, because its node's clock was behind. */
async function addSuccessor({ id }: ApiKey): Promise<string> {
  const successorId = crypto.randomUUID().replace(/^.{8}/, "00000000");
  await server.database.query(
    `INSERT INTO api_key (workspace_id, id, agent_id, lineage_id, name, public_id, digest, last4, scopes, created_by)
     SELECT workspace_id, $2::uuid, agent_id, lineage_id, name, $3, sha256($3::text::bytea), last4, scopes, created_by
     FROM api_key WHERE id = $1`,
    [id, successorId, successorId],
  );
  return successorId;
}

describe("deactivateUser", () => {
  it("locks the person before any key", async () => {
    const { apiKey } = await createKey();
    const held = await holdRow('"user"', person.id);
    const suspended = deactivateUser(ctx, person.id);
    await held.waiters(1);
    await expect(lockAlso(held, "api_key", apiKey.id)).resolves.toBeUndefined();
    await held.release();
    await suspended;
  });

  it("locks the first key of a lineage before the others, as mints do", async () => {
    const { apiKey } = await createKey();
    const successorId = await addSuccessor(apiKey);
    const held = await holdRow("api_key", apiKey.id);
    const suspended = deactivateUser(ctx, person.id);
    await held.waiters(1);
    await expect(lockAlso(held, "api_key", successorId)).resolves.toBeUndefined();
    await held.release();
    await suspended;
    expect(await ctx.db.apiKey.count({ where: { revokedReason: "creator_suspended" } })).toBe(2);
  });
});

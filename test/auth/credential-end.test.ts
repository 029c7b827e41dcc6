import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentToken } from "../../src/auth/agent-tokens/create-agent-token.ts";
import { createApiKey } from "../../src/auth/api-keys/create-api-key.ts";
import { listApiKeys } from "../../src/auth/api-keys/list-api-keys.ts";
import { rotateApiKey } from "../../src/auth/api-keys/rotate-api-key.ts";
import { hashSecret } from "../../src/auth/credentials.ts";
import { findCredential } from "../../src/auth/find-credential.ts";
import { authenticateSocket } from "../../src/auth/socket-tokens/authenticate-socket.ts";
import { createSocketToken } from "../../src/auth/socket-tokens/create-socket-token.ts";
import { findToken } from "../../src/auth/tokens/find-token.ts";
import type { Actor, AgentCredential } from "../../src/domain/kernel/actor.ts";
import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import { getErrorCode } from "../support/callers.ts";
import { type QuietServices, openQuietServices } from "../support/quiet-services.ts";

const MINTED = new Date("2100-11-21T10:00:45.678Z");
/** Long before the expiry of anything derived from the key. */
const END_MS = 5000;

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

/** A key that expires after {@link END_MS}, and what depends on it. */
type Scene = {
  /** The service itself. */
  system: Ctx;
  byKey: Ctx;
  byToken: Ctx;
  keyId: string;
  secrets: { key: string; token: string; socketOfKey: string; socketOfToken: string };
};

async function openScene(): Promise<Scene> {
  const { workspaceId } = await quiet.createWorkspace();
  const system = openCtx(quiet.services, quiet.systemCtx(workspaceId), MINTED);
  const { apiKey, secret: key } = await createApiKey(system, { name: "A key", scopes: ["tasks:read"] });
  const { id: keyId, lineageId } = apiKey;
  const by = (credential: AgentCredential): Ctx => {
    const scopes = new Set(["tasks:read"] as const);
    const actor: Actor = { type: "agent", id: apiKey.agentId, name: "An agent", scopes, credential };
    return openCtx(quiet.services, { ...system, actor }, MINTED);
  };
  const ofKey = { parent: { kind: "api_key" as const, id: keyId }, lineageId, expiresAt: null };
  const byKey = by({ kind: "api_key", id: keyId, ...ofKey });
  const { agentToken, secret: token } = await createAgentToken(byKey, {});
  const byToken = by({ kind: "agent_token", id: agentToken.id, ...ofKey });
  const secrets = {
    ...{ key, token },
    socketOfKey: (await createSocketToken(byKey, {})).secret,
    socketOfToken: (await createSocketToken(byToken, {})).secret,
  };
  const where = { workspaceId_id: { workspaceId, id: keyId } };
  await system.db.apiKey.update({ where, data: { expiresAt: new Date(MINTED.getTime() + END_MS) } });
  return { system, byKey, byToken, keyId, secrets };
}

/** Whether the key is still valid. Each of these checks has its own statement. */
const QUESTIONS: [string, (scene: Scene) => Promise<boolean>][] = [
  ["authenticates the key", ({ system, secrets }) => isLetIn(system, "api_key", secrets.key)],
  ["authenticates its token", ({ system, secrets }) => isLetIn(system, "agent_token", secrets.token)],
  ["opens a socket by the key's socket token", ({ system, secrets }) => opens(system, secrets.socketOfKey)],
  ["opens a socket by its token's", ({ system, secrets }) => opens(system, secrets.socketOfToken)],
  ["mints a token", ({ byKey }) => succeeds(createAgentToken(byKey, {}))],
  ["mints a socket token", ({ byKey }) => succeeds(createSocketToken(byKey, {}))],
  ["mints a socket token for its token", ({ byToken }) => succeeds(createSocketToken(byToken, {}))],
  ["introspects the key", ({ system, secrets }) => isActive(system, secrets.key)],
  ["introspects its token", ({ system, secrets }) => isActive(system, secrets.token)],
  ["introspects the key's socket token", ({ system, secrets }) => isActive(system, secrets.socketOfKey)],
  ["introspects its token's", ({ system, secrets }) => isActive(system, secrets.socketOfToken)],
  ["rotates it", ({ system, keyId }) => succeeds(rotateApiKey(system, keyId))],
  [
    "lists active keys",
    async ({ system, keyId }) => {
      const { nodes } = await listApiKeys(system, {}, { valid: true });
      return nodes.some(({ id }) => id === keyId);
    },
  ],
];

async function isLetIn(ctx: Ctx, kind: "api_key" | "agent_token", bearer: string): Promise<boolean> {
  const services = { database: quiet.services.database, now: ctx.now };
  return (await findCredential(services, kind, hashSecret(bearer)))?.state === "valid";
}

async function opens({ now }: Ctx, socketToken: string): Promise<boolean> {
  const { database } = quiet.services;
  return typeof (await authenticateSocket({ database, now }, socketToken, null)) === "object";
}

async function succeeds(work: Promise<unknown>): Promise<boolean> {
  return (await getErrorCode(work)) === "";
}

async function isActive(ctx: Ctx, bearer: string): Promise<boolean> {
  return (await findToken(ctx, bearer))?.isActive === true;
}

/** The result for a new key, this long after its creation. */
async function askAfter(asks: (scene: Scene) => Promise<boolean>, afterMs: number): Promise<boolean> {
  const scene = await openScene();
  const now = new Date(MINTED.getTime() + afterMs);
  for (const ctx of [scene.system, scene.byKey, scene.byToken]) ctx.now = now;
  return asks(scene);
}

describe("the expiry of a key, to the millisecond", () => {
  it.each(QUESTIONS)("applies to a caller who %s", async (_what, asks) => {
    expect(await askAfter(asks, END_MS - 1)).toBe(true);
    expect(await askAfter(asks, END_MS)).toBe(false);
  });
});

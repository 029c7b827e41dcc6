import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentToken } from "../../../src/auth/agent-tokens/create-agent-token.ts";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import { rotateApiKey } from "../../../src/auth/api-keys/rotate-api-key.ts";
import { createSocketToken } from "../../../src/auth/socket-tokens/create-socket-token.ts";
import { findToken } from "../../../src/auth/tokens/find-token.ts";
import { revokeToken } from "../../../src/auth/tokens/revoke-token.ts";
import type { ApiKey } from "../../../src/db/generated/client.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { keyCtx, userCtx } from "../../support/callers.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

let quiet: QuietServices;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

/** A key with a token and a socket token, and other callers of the workspace. */
async function createScene() {
  const { workspaceId } = await quiet.createWorkspace();
  const system = quiet.systemCtx(workspaceId);
  const create = async () => createApiKey(system, { name: "A key", scopes: ["tasks:read"] });
  const [{ apiKey, secret: key }, other] = [await create(), await create()];
  const own = keyCtx(quiet, system, apiKey);
  const { agentToken, secret: token } = await createAgentToken(own, {});
  const { secret: socket } = await createSocketToken(own, {});
  const { apiKey: next } = await rotateApiKey(system, apiKey.id);
  return {
    secrets: { key, token, socket },
    system,
    callers: {
      "the key": own,
      "the key that replaced it": keyCtx(quiet, system, next),
      "another key": keyCtx(quiet, system, other.apiKey),
      "the token itself": tokenCtx(system, apiKey, agentToken.id),
      "an owner": userCtx(quiet, workspaceId, "owner"),
    },
  };
}

function tokenCtx(system: Ctx, key: ApiKey, id: string): Ctx {
  const ctx = keyCtx(quiet, system, key);
  if (ctx.actor.type === "agent") ctx.actor.credential = { ...ctx.actor.credential, kind: "agent_token", id };
  return ctx;
}

type Scene = Awaited<ReturnType<typeof createScene>>;

describe("revokeToken", () => {
  it.each<[keyof Scene["callers"], (keyof Scene["secrets"])[]]>([
    ["the key", ["token", "socket"]],
    ["the key that replaced it", ["token", "socket"]],
    ["another key", []],
    ["the token itself", ["token"]],
    ["an owner", []],
  ])("by %s revokes %j", async (caller, expected) => {
    const { callers, secrets, system } = await createScene();
    for (const secret of Object.values(secrets)) await revokeToken(callers[caller], secret);
    const revoked: string[] = [];
    for (const [name, secret] of Object.entries(secrets)) {
      if ((await findToken(system, secret))?.isActive !== true) revoked.push(name);
    }
    expect(revoked).toEqual(expected);
  });
});

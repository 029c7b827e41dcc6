import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentToken } from "../../src/auth/agent-tokens/create-agent-token.ts";
import { revokeAgentToken } from "../../src/auth/agent-tokens/revoke-agent-token.ts";
import { createApiKey } from "../../src/auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../src/auth/api-keys/revoke-api-key.ts";
import { rotateApiKey } from "../../src/auth/api-keys/rotate-api-key.ts";
import { updateApiKey } from "../../src/auth/api-keys/update-api-key.ts";
import { revokeScimToken } from "../../src/auth/scim-tokens/revoke-scim-token.ts";
import { rotateScimToken } from "../../src/auth/scim-tokens/rotate-scim-token.ts";
import { deleteSignInProvider } from "../../src/auth/oidc/set-sign-in-provider.ts";
import { changePassword } from "../../src/auth/sessions/change-password.ts";
import { logOut, logOutEverywhere, revokeOtherSessions } from "../../src/auth/sessions/log-out.ts";
import { revokeSession } from "../../src/auth/sessions/revoke-session.ts";
import { createSocketToken } from "../../src/auth/socket-tokens/create-socket-token.ts";
import { revokeToken } from "../../src/auth/tokens/revoke-token.ts";
import { archiveAgent } from "../../src/domain/agents/archive-agent.ts";
import { setAgentControlState } from "../../src/domain/agents/set-agent-control-state.ts";
import { type Ctx, openCtx } from "../../src/domain/kernel/context.ts";
import { emergencyStop } from "../../src/domain/stops/emergency-stop.ts";
import { keyCtx, userCtx } from "../support/callers.ts";
import { insertTestAgent } from "../support/factories.ts";
import { openSessionCtx } from "../support/open-session-ctx.ts";
import { createPerson, beginTestSession } from "../support/people.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import { watchLanes } from "../support/watched-lanes.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const PASSWORD = "a quiet harbour at dawn";
const NEW = "another harbour, at dusk";

async function createKey() {
  const { apiKey } = await createApiKey(world.ctx, { name: "A key", scopes: ["tasks:read"] });
  return { apiKey, own: keyCtx(world.server, world.ctx, apiKey) };
}

async function openSession(): Promise<Ctx> {
  const who = await createPerson(world.server, world.workspaceId, { password: PASSWORD });
  return openSessionCtx(world.server, await beginTestSession(world.server, who));
}

/** A caller, and what it does. */
type Act = { by: Ctx; act: (ctx: Ctx) => Promise<unknown> };

const ofSession = (act: Act["act"]) => async (): Promise<Act> => ({ by: await openSession(), act });
const ofKey = (act: (ctx: Ctx, id: string) => Promise<unknown>) => async (): Promise<Act> => {
  const { apiKey } = await createKey();
  return { by: world.ctx, act: (ctx) => act(ctx, apiKey.id) };
};
const ofAgent = (act: (ctx: Ctx, id: string) => Promise<unknown>) => async (): Promise<Act> => {
  const id = await insertTestAgent(world.ctx);
  return { by: userCtx(world.server, world.workspaceId, "owner"), act: (ctx) => act(ctx, id) };
};

const URGENT: Record<string, () => Promise<Act>> = {
  "deletes the provider of sign-in": async () => ({ by: world.ctx, act: deleteSignInProvider }),
  "logs out": ofSession(logOut),
  "logs out everywhere": ofSession(logOutEverywhere),
  "ends the other sessions": ofSession(revokeOtherSessions),
  "ends a session": ofSession((ctx) =>
    revokeSession(ctx, ctx.actor.type === "user" ? (ctx.actor.session?.id ?? "") : ""),
  ),
  "changes the password": ofSession((ctx) =>
    changePassword(ctx, world.server.services, {
      ...{ currentPassword: PASSWORD, newPassword: NEW, newPasswordConfirmation: NEW },
    }),
  ),
  "revokes a key": ofKey(revokeApiKey),
  "changes a key": ofKey((ctx, id) => updateApiKey(ctx, id, { ipAllowlist: ["10.0.0.0/8"] })),
  "replaces a key at once": ofKey((ctx, id) => rotateApiKey(ctx, id, { overlapSeconds: 0 })),
  "replaces the SCIM token": async () => ({
    by: world.ctx,
    act: (ctx) => rotateScimToken(ctx, { overlapSeconds: 0 }),
  }),
  "revokes a SCIM token": async () => {
    const { scimToken } = await rotateScimToken(world.ctx, { overlapSeconds: 0 });
    return { by: world.ctx, act: (ctx) => revokeScimToken(ctx, scimToken.id) };
  },
  "stops an agent": ofAgent((ctx, id) => setAgentControlState(ctx, { id, controlState: "stopped" })),
  "archives an agent": ofAgent(archiveAgent),
  "stops all": async () => {
    const { workspaceId } = await world.another();
    const by = userCtx(world.server, workspaceId, "operator");
    return { by, act: (ctx) => emergencyStop(ctx, { reason: "A test" }) };
  },
};

const BY_AGENTS: Record<string, () => Promise<Act>> = {
  "revokes a token by its id": async () => {
    const { own } = await createKey();
    const { agentToken } = await createAgentToken(own, {});
    return { by: own, act: (ctx) => revokeAgentToken(ctx, agentToken.id) };
  },
  "revokes a token": async () => {
    const { own } = await createKey();
    const { secret } = await createAgentToken(own, {});
    return { by: own, act: (ctx) => revokeToken(ctx, secret) };
  },
  "revokes a socket token": async () => {
    const { own } = await createKey();
    const { secret } = await createSocketToken(own, {});
    return { by: own, act: (ctx) => revokeToken(ctx, secret) };
  },
};

/** The kinds of lanes in which an act works. */
async function listKinds({ by, act }: Act): Promise<string[]> {
  const { services, lanes } = watchLanes(world.server.services);
  await act(openCtx(services, by));
  return lanes.map((lane) => /^(?:urgent )?\w+/.exec(lane)?.[0] ?? lane);
}

describe("what ends rights", () => {
  it.each(Object.entries(URGENT))("is urgent if somebody %s", async (_what, prepare) => {
    const kinds = await listKinds(await prepare());
    expect(kinds).toContain("urgent writes");
    expect(kinds).not.toContain("writes");
  });

  it.each(Object.entries(BY_AGENTS))("waits for no other read if an agent %s", async (_what, prepare) => {
    const kinds = new Set(await listKinds(await prepare()));
    expect(kinds).toEqual(new Set(["urgent reads", "urgent writes"]));
  });

  it("is not urgent if it takes effect later, or gives rights", async () => {
    const later = ofKey((ctx, id) => rotateApiKey(ctx, id, { overlapSeconds: 60 }));
    expect(await listKinds(await later())).not.toContain("urgent writes");
    const more = ofKey((ctx) => createApiKey(ctx, { name: "More", scopes: ["tasks:read"] }));
    expect(await listKinds(await more())).not.toContain("urgent writes");
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAgentToken } from "../../src/auth/agent-tokens/create-agent-token.ts";
import { revokeAgentToken } from "../../src/auth/agent-tokens/revoke-agent-token.ts";
import { createApiKey } from "../../src/auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../src/auth/api-keys/revoke-api-key.ts";
import { rotateApiKey } from "../../src/auth/api-keys/rotate-api-key.ts";
import { updateApiKey } from "../../src/auth/api-keys/update-api-key.ts";
import { inviteWithLink, resendWithLink } from "../../src/auth/invitations/invite-with-link.ts";
import { revokeScimToken } from "../../src/auth/scim-tokens/revoke-scim-token.ts";
import { rotateScimToken } from "../../src/auth/scim-tokens/rotate-scim-token.ts";
import { changePassword } from "../../src/auth/sessions/change-password.ts";
import { confirmPassword } from "../../src/auth/sessions/confirm-password.ts";
import { logOut } from "../../src/auth/sessions/log-out.ts";
import { revokeSession } from "../../src/auth/sessions/revoke-session.ts";
import { createSocketToken } from "../../src/auth/socket-tokens/create-socket-token.ts";
import { revokeToken } from "../../src/auth/tokens/revoke-token.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { keyCtx } from "../support/callers.ts";
import { openSessionCtx } from "../support/open-session-ctx.ts";
import { type TestPerson, createPerson, beginTestSession } from "../support/people.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

const NEW = "another harbour, at dusk";

/** What an act appends, in order, as `act of subject: names of its data`; audit rows follow events. */
async function readTrail(workspaceId: string, act: () => Promise<unknown>): Promise<string[]> {
  const { query } = world.server.database;
  type Row = { act: string; subject: string; data: object };
  const read = async (): Promise<string[]> => {
    const events = await query<Row>(
      "SELECT type AS act, subject_type AS subject, data FROM event WHERE workspace_id = $1 ORDER BY seq",
      [workspaceId],
    );
    const audit = await query<Row>(
      `SELECT 'audit ' || action AS act, target_type AS subject, changes AS data
       FROM audit_event WHERE workspace_id = $1 ORDER BY seq`,
      [workspaceId],
    );
    return [...events, ...audit].map(
      ({ act: name, subject, data }) => `${name} of ${subject}: ${Object.keys(data).toSorted().join(" ")}`,
    );
  };
  const before = await read();
  await act();
  const after = await read();
  for (const row of before) after.splice(after.indexOf(row), 1);
  return after;
}

describe("the trail of an API key and what it mints", () => {
  it("names each act", async () => {
    const { ctx, workspaceId } = await world.another();
    const { apiKey } = await createApiKey(ctx, { name: "A key", scopes: ["tasks:read"] });
    const own = keyCtx(world.server, ctx, apiKey);
    let [tokenId, socket] = ["", ""];
    const acts: Record<string, () => Promise<unknown>> = {
      create: () => createApiKey(ctx, { name: "Another", scopes: ["tasks:read"] }),
      update: () => updateApiKey(ctx, apiKey.id, { name: "Renamed" }),
      "mint a token": async () => (tokenId = (await createAgentToken(own, {})).agentToken.id),
      "mint a socket token": async () => (socket = (await createSocketToken(own, {})).secret),
      "revoke the socket token": () => revokeToken(own, socket),
      "revoke the token": () => revokeAgentToken(ctx, tokenId),
      rotate: () => rotateApiKey(ctx, apiKey.id),
      revoke: () => revokeApiKey(ctx, apiKey.id),
    };
    const trail: Record<string, string[]> = {};
    for (const [name, act] of Object.entries(acts)) trail[name] = await readTrail(workspaceId, act);
    expect(trail).toEqual({
      create: [
        "agent.created of agent: generation handle kind",
        "api_key.created of api_key: name scopes",
        "audit api_key.created of api_key: agent_id ip_allowlist name scopes",
      ],
      update: ["api_key.updated of api_key: name scopes", "audit api_key.updated of api_key: name"],
      "mint a token": [
        "agent_token.created of agent_token: scopes",
        "audit agent_token.created of agent_token: agent_id api_key_id expires_at scopes",
      ],
      "mint a socket token": [
        "socket_token.created of socket_token: ",
        "audit socket_token.created of socket_token: agent_id scopes single_use",
      ],
      "revoke the socket token": [
        "socket_token.revoked of socket_token: ",
        "audit socket_token.revoked of socket_token: ",
      ],
      "revoke the token": [
        "agent_token.revoked of agent_token: ",
        "audit agent_token.revoked of agent_token: ",
      ],
      rotate: [
        "api_key.created of api_key: name scopes",
        "api_key.rotated of api_key: rotated_to_id",
        "audit api_key.rotated of api_key: overlap_seconds rotated_to_id",
      ],
      revoke: ["api_key.revoked of api_key: reason", "audit api_key.revoked of api_key: reason"],
    });
  });
});

describe("the trail of a SCIM token", () => {
  it("names each act", async () => {
    const { ctx, workspaceId } = await world.another();
    let id = "";
    const rotate = async () => (id = (await rotateScimToken(ctx, {})).scimToken.id);
    expect(await readTrail(workspaceId, rotate)).toEqual([
      "scim_token.rotated of scim_token: ",
      "audit scim_token.rotated of scim_token: overlap_seconds",
    ]);
    expect(await readTrail(workspaceId, () => revokeScimToken(ctx, id))).toEqual([
      "scim_token.revoked of scim_token: ",
      "audit scim_token.revoked of scim_token: ",
    ]);
  });
});

describe("the trail of a person", () => {
  /** A person and the context of a new session. */
  async function logIn(workspaceId: string): Promise<{ who: TestPerson; ctx: Ctx }> {
    const who = await createPerson(world.server, workspaceId);
    return { who, ctx: await openSessionCtx(world.server, await beginTestSession(world.server, who)) };
  }

  it("names each act", async () => {
    const { ctx, workspaceId } = await world.another();
    const { services } = world.server;
    const [one, other, third] = [
      await logIn(workspaceId),
      await logIn(workspaceId),
      await logIn(workspaceId),
    ];
    const form = { currentPassword: one.who.password, newPassword: NEW, newPasswordConfirmation: NEW };
    const session = third.ctx.actor.type === "user" ? third.ctx.actor.session?.id : undefined;
    let invited = "";
    const acts: Record<string, () => Promise<unknown>> = {
      create: () => createPerson(world.server, workspaceId),
      "log in": () => beginTestSession(world.server, one.who),
      "confirm the password": () =>
        confirmPassword(one.ctx, services, { password: one.who.password, code: "" }),
      "change the password": () => changePassword(one.ctx, services, form),
      "log out": () => logOut(other.ctx),
      "revoke a session": () => revokeSession(third.ctx, session ?? ""),
      invite: async () => {
        const email = "invited@example.com";
        const asked = await inviteWithLink({ ...ctx, services }, { email, name: "Ada", role: "viewer" });
        invited = asked.userId;
      },
      "invite again": () => resendWithLink({ ...ctx, services }, invited),
    };
    const trail: Record<string, string[]> = {};
    for (const [name, act] of Object.entries(acts)) trail[name] = await readTrail(workspaceId, act);
    const created = ["user.created of user: generation role", "audit user.created of user: confirmed role"];
    const ended = "session.ended of session: reason user_id";
    expect(trail).toEqual({
      create: created,
      "log in": ["session.created of session: user_id", "audit session.created of session: remembered"],
      "confirm the password": [
        "session.confirmed of session: user_id",
        "audit session.confirmed of session: ",
      ],
      "change the password": [
        ...["user.password_changed of user: generation", ended, ended],
        ...["audit user.password_changed of user: ", `audit ${ended}`, `audit ${ended}`],
      ],
      "log out": [ended, `audit ${ended}`],
      "revoke a session": [ended, `audit ${ended}`],
      invite: [
        ...["user.created of user: generation role", "user.invited of user: "],
        ...["audit user.created of user: role", "audit user.invited of user: "],
        "audit invitation.link_shown of user: ",
      ],
      "invite again": [
        ...["user.invited of user: ", "audit user.invited of user: "],
        "audit invitation.link_shown of user: ",
      ],
    });
  });
});

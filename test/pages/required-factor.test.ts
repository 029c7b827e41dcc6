import { v7 as uuidv7 } from "uuid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { updateWorkspace } from "../../src/domain/workspaces/update-workspace.ts";
import { removeTotp } from "../../src/auth/factors/remove-totp.ts";
import { getErrorCode } from "../support/callers.ts";
import { holdLock } from "../support/locked-table.ts";
import { openSessionCtx } from "../support/open-session-ctx.ts";
import { type TestPerson, buildCookie, createPerson, beginTestSession } from "../support/people.ts";
import { readRevocationReasons } from "../support/person-ctx.ts";
import { FACTOR_ENVIRONMENT, addTestFactor } from "../support/second-factor.ts";
import { type TestServer, startOn } from "../support/server.ts";
import { askBy, callMutation, graphqlCode } from "../support/settings-client.ts";
import { openSocket } from "../support/socket-client.ts";
import { type TestClient, createTestClient } from "../support/test-client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";
import { openVisitor } from "./support/test-visitor.ts";

let world: TestWorld;
let workspaceId: string;
let agent: TestClient;
let person: TestPerson;

beforeAll(async () => {
  world = await createWorld(FACTOR_ENVIRONMENT);
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ workspaceId, agent } = await world.another());
  person = await createPerson(world.server, workspaceId, { role: "owner" });
});

async function turnOn(): Promise<void> {
  await updateWorkspace(world.server.systemCtx(workspaceId), { requireMfa: true });
}

/** What a session can do. */
async function readAccess(token: string, server: Pick<TestServer, "url"> = world.server) {
  const cookie = buildCookie(token);
  const visitor = openVisitor(server.url);
  const [page, dashboard] = [await visitor.get("/settings", { cookie }), await visitor.get("/", { cookie })];
  const rest = await createTestClient(server.url, undefined, { cookie }).get("/api/v1/operator/approvals");
  return {
    graphql: graphqlCode(await askBy(server, token)("{ viewer { role } }")),
    rest: rest.status === 200 ? "" : rest.body.code,
    pages: [page.location, dashboard.location],
  };
}

const FREE = { graphql: "", rest: "", pages: [null, null] };
const SHUT = {
  ...{ graphql: "MFA_REQUIRED", rest: "mfa_required", pages: ["/settings/security", "/settings/security"] },
};

/** Opens a socket by a session's cookie. */
async function connect(token: string) {
  const socket = await openSocket(world.server.url, { headers: { cookie: buildCookie(token) } });
  socket.send({ type: "connection_init" });
  return socket;
}

describe("a workspace that requires a second factor", () => {
  it("lets a session that began by a password alone do nothing but add one", async () => {
    await turnOn();
    const token = await beginTestSession(world.server, person);
    expect(await readAccess(token)).toEqual(SHUT);
    const page = await openVisitor(world.server.url).get("/settings/security", {
      cookie: buildCookie(token),
    });
    expect(page.status).toBe(200);
    expect(page.text).toContain("Your workspace requires a second factor.");
    expect(await (await connect(token)).closed).toEqual({ code: 4403, reason: "mfa_required" });
    const added = await addTestFactor(world.server, person);
    expect(await readAccess(added.token)).toEqual(FREE);
  });

  it("lets such a session log out", async () => {
    await turnOn();
    const cookie = buildCookie(await beginTestSession(world.server, person));
    const visitor = openVisitor(world.server.url);
    const out = await visitor.submit("/users/log-out", {}, { cookie });
    expect(out.location).toBe("/users/log-in?notice=logged-out");
    expect((await visitor.get("/settings/security", { cookie })).location).toContain("/users/log-in");
  });

  it("applies to sessions and sockets that are open when it is turned on", async () => {
    const member = await createPerson(world.server, workspaceId, { role: "viewer" });
    const [theirs, own] = [
      await beginTestSession(world.server, member),
      await addTestFactor(world.server, person),
    ];
    const [closing, staying] = [await connect(theirs), await connect(own.token)];
    for (const socket of [closing, staying]) expect((await socket.next()).type).toBe("connection_ack");
    const ask = askBy(world.server, own.token);
    expect(graphqlCode(await callMutation(ask, "updateWorkspace", { requireMfa: true }))).toBe("");
    expect(await closing.closed).toEqual({ code: 4403, reason: "reauth_required" });
    expect([await readAccess(theirs), await readAccess(own.token)]).toEqual([SHUT, FREE]);
    staying.send({ type: "subscribe", id: "x", payload: { query: "{ viewer { role } }" } });
    expect((await staying.until(({ id }) => id === "x")).type).toBe("next");
    staying.socket.close();
  });

  it("applies to a log-in that is under way when it is turned on", async () => {
    const { database } = world.server;
    await beginTestSession(world.server, person);
    const lock = await holdLock(database, `SELECT id FROM "user" WHERE id = $1 FOR UPDATE`, [person.id]);
    const turningOn = turnOn();
    await lock.waiters(1);
    const id = uuidv7();
    await lock.query(
      `INSERT INTO users_tokens (workspace_id, id, user_id, context, token_digest, auth_epoch, family_id, authenticated_at, expires_at)
       SELECT workspace_id, $2, user_id, context, sha256(token_digest), auth_epoch, $2, authenticated_at, expires_at
       FROM users_tokens WHERE user_id = $1`,
      [person.id, id],
    );
    await lock.release();
    await turningOn;
    expect(await readRevocationReasons(world.server, id)).toEqual(["mfa_required"]);
  });

  it("is not turned on by whoever it would shut out, nor by admins", async () => {
    const ask = askBy(world.server, await beginTestSession(world.server, person));
    const on = { requireMfa: true };
    expect(graphqlCode(await callMutation(ask, "updateWorkspace", on))).toBe("INVALID_STATE");
    const admin = await addTestFactor(world.server, await createPerson(world.server, workspaceId));
    const askAsAdmin = askBy(world.server, admin.token);
    expect(graphqlCode(await callMutation(askAsAdmin, "updateWorkspace", on))).toBe("FORBIDDEN");
    expect(graphqlCode(await ask("{ viewer { role } }"))).toBe("");
  });

  it("leaves those alone who signed in by their provider", async () => {
    await turnOn();
    const token = await beginTestSession(world.server, person);
    await world.server.database.query(
      "UPDATE users_tokens SET provider_id = gen_random_uuid() WHERE user_id = $1 AND context = 'session'",
      [person.id],
    );
    expect(await readAccess(token)).toEqual(FREE);
  });

  it("shuts a session out whose last factor is removed", async () => {
    await turnOn();
    const { token } = await addTestFactor(world.server, person);
    await removeTotp(await openSessionCtx(world.server, token));
    expect(await readAccess(token)).toEqual(SHUT);
  });

  it("lets everybody in again when it is turned off", async () => {
    await turnOn();
    const token = await beginTestSession(world.server, person);
    await updateWorkspace(world.server.systemCtx(workspaceId), { requireMfa: false });
    expect(await readAccess(token)).toEqual(FREE);
  });

  it("does not concern agents, nor other workspaces", async () => {
    await turnOn();
    const other = await createPerson(world.server, world.workspaceId);
    expect(await readAccess(await beginTestSession(world.server, other))).toEqual(FREE);
    expect((await agent.get("/api/v1/whoami")).status).toBe(200);
  });

  it("is turned on in the settings, by owners", async () => {
    const { token } = await addTestFactor(world.server, person);
    const [visitor, cookie] = [openVisitor(world.server.url), buildCookie(token)];
    expect((await visitor.get("/settings/workspace", { cookie })).text).toContain('name="require_mfa"');
    const saved = await visitor.submit(
      "/settings/workspace",
      { act: "mfa", require_mfa: "true" },
      { cookie },
    );
    expect(saved.location).toBe("/settings/workspace?notice=saved");
    const { requireMfa } = await world.server.systemCtx(workspaceId).db.workspace.findFirstOrThrow({
      where: { id: workspaceId },
    });
    expect(requireMfa).toBe(true);
  });
});

describe("REQUIRE_MFA", () => {
  it("requires a second factor in all workspaces", async () => {
    const strict = await startOn(world.server.database, { ...FACTOR_ENVIRONMENT, REQUIRE_MFA: "1" });
    const token = await beginTestSession(world.server, person);
    const [before, here] = [await readAccess(token, strict), await readAccess(token)];
    const { token: next } = await addTestFactor(strict, person);
    const after = await readAccess(next, strict);
    await strict.stop();
    expect([before, here, after]).toEqual([SHUT, FREE, FREE]);
  });
});

describe("updateWorkspace with requireMfa", () => {
  it("requires the role owner", async () => {
    const admin = await createPerson(world.server, workspaceId, { role: "admin" });
    const ctx = await openSessionCtx(world.server, await beginTestSession(world.server, admin));
    expect(await getErrorCode(updateWorkspace(ctx, { requireMfa: false }))).toBe("forbidden");
  });
});

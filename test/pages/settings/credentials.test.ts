import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestClient } from "../../support/test-client.ts";
import type { TestPerson } from "../../support/people.ts";
import { type PageWorld, openPageWorld } from "../support/page-world.ts";
import { type VisitedPage, type TestVisitor, getElementText } from "../support/test-visitor.ts";

let world: PageWorld;
let owner: TestVisitor & { person: TestPerson };

beforeAll(async () => {
  world = await openPageWorld();
  owner = await world.enter("owner");
});

afterAll(() => world.close());

const FORM = {
  name: "Billing",
  agent_handle: "",
  scopes: ["tasks:read", "tasks:write"],
  expires_in_days: "30",
  ip_allowlist: "",
};

function secretIn({ text }: VisitedPage): string {
  return /ag[kp]_[0-9A-Za-z.]{49,}/.exec(text)?.[0] ?? "";
}

async function createKey(
  fields: Partial<typeof FORM> = {},
  by: TestVisitor = owner,
): Promise<{ secret: string; path: string }> {
  const page = await by.submit("/settings/api-keys/new", { ...FORM, ...fields });
  expect(page.status).toBe(200);
  return { secret: secretIn(page), path: /\/settings\/api-keys\/[0-9a-f-]{36}/.exec(page.text)?.[0] ?? "" };
}

function whoAmI(secret: string) {
  return createTestClient(world.server.url, secret).get("/api/v1/whoami");
}

describe("/settings/api-keys/new", () => {
  it("shows the key once, and it works", async () => {
    const { secret, path } = await createKey();
    expect((await whoAmI(secret)).status).toBe(200);
    for (const look of [path, "/settings/api-keys", "/settings/audit"]) {
      expect((await owner.get(look)).text).not.toContain(secret.split(".")[1]);
    }
    const page = await owner.get(path);
    expect(page.text).toContain("tasks:write");
    expect(page.text).toContain(secret.slice(0, secret.indexOf(".")));
  });

  it("shows errors at their fields and keeps all entered values", async () => {
    const typed = { ...FORM, name: "", ip_allowlist: "10.0.0.0/8\nnonsense", agent_handle: "no-such-agent" };
    const refused = await owner.submit("/settings/api-keys/new", typed);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('id="name-error"');
    expect(refused.text).toContain('id="ipAllowlist-error"');
    expect(refused.text).toContain("10.0.0.0/8\nnonsense</textarea");
    expect(refused.text).toContain('value="no-such-agent"');
    expect(refused.text).toMatch(/value="tasks:write" checked/);
    expect(refused.text).not.toMatch(/value="messages:read" checked/);
    expect(refused.text).toMatch(/value="30" selected/);
  });

  it.each([
    ["no scope", { scopes: [] }, { status: 400, field: "scopes" }],
    ["an unknown scope", { scopes: ["everything:write"] }, { status: 400, field: "scopes" }],
    ["an unknown agent", { agent_handle: "no-such-agent" }, { status: 422, field: "agentHandle" }],
    ["a past expiry", { expires_in_days: "-1" }, { status: 422, field: "expiresAt" }],
    ["an invalid expiry", { expires_in_days: "soon" }, { status: 422, field: "expiresAt" }],
    ["an expiry in ten thousand years", { expires_in_days: "3652425" }, { status: 422, field: "expiresAt" }],
    ["an expiry beyond the calendar", { expires_in_days: "999999999" }, { status: 422, field: "expiresAt" }],
  ])("rejects %s at its field", async (_what, fields, { status, field }) => {
    const refused = await owner.submit("/settings/api-keys/new", { ...FORM, ...fields });
    expect(refused.status).toBe(status);
    expect(refused.text).toContain(`id="${field}-error"`);
    expect(refused.text).toContain(`href="#${field}"`);
  });

  it("limits the key to its addresses", async () => {
    const { secret } = await createKey({ ip_allowlist: "192.0.2.1, 2001:db8::/32" });
    expect((await whoAmI(secret)).body).toMatchObject({ code: "ip_not_allowed" });
  });
});

describe("/settings/api-keys/:id", () => {
  it("removes scopes and changes addresses, but adds no scopes", async () => {
    const { secret, path } = await createKey();
    const update = { act: "update", name: "Renamed", scopes: ["tasks:read"], ip_allowlist: "127.0.0.0/8" };
    expect((await owner.submit(path, update)).location).toBe(`${path}?notice=saved`);
    expect((await whoAmI(secret)).body).toMatchObject({ scopes: ["tasks:read"] });
    const refused = await owner.submit(path, { ...update, scopes: ["tasks:read", "messages:read"] });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('value="Renamed"');
  });

  it("rotates a key, and the old one keeps working for the overlap", async () => {
    const { secret, path } = await createKey();
    const page = await owner.submit(path, { act: "rotate", overlap_seconds: "3600" });
    expect(getElementText(page, "h1")).toBe("API key rotated");
    const next = secretIn(page);
    expect([(await whoAmI(secret)).status, (await whoAmI(next)).status]).toEqual([200, 200]);
    expect((await owner.get(path)).text).toContain("Rotated, expires soon");
    expect((await owner.submit(path, { act: "rotate", overlap_seconds: "3600" })).status).toBe(409);
    expect((await owner.submit(path, { act: "rotate", overlap_seconds: "x" })).status).toBe(422);
  });

  it("revokes a key", async () => {
    const { secret, path } = await createKey();
    expect((await owner.submit(path, { act: "revoke" })).location).toBe(`${path}?notice=revoked`);
    expect((await whoAmI(secret)).status).toBe(401);
    const page = await owner.get(path);
    expect(page.text).toContain("Revoked");
    expect(page.text).not.toContain("Rotate key");
    expect((await owner.get("/settings/api-keys")).text).not.toContain(path);
    expect((await owner.get("/settings/api-keys?state=inactive")).text).toContain(path);
  });
});

describe("/settings/agent-tokens and /settings/socket-tokens", () => {
  it("list tokens without their secrets", async () => {
    const agent = await world.agent.post("/api/v1/agent_tokens", {
      agent: { handle: "listed-bot" },
      name: "Listed",
    });
    const socket = await world.agent.post("/api/v1/socket_tokens", {});
    const agents = await owner.get("/settings/agent-tokens");
    expect(agents.text).toContain("Listed");
    expect(agents.text).toContain(agent.body.id);
    expect(agents.text).not.toContain(agent.body.token);
    const sockets = await owner.get("/settings/socket-tokens");
    expect(sockets.text).toContain(socket.body.id);
    expect(sockets.text).not.toContain(socket.body.token);
  });

  it("show tokens as revoked if their key was revoked with its creator", async () => {
    const fields = { act: "keys", revokes_keys: "true" };
    expect((await owner.submit("/settings/workspace", fields)).status).toBe(303);
    const maker = await world.enter("admin");
    const agent = createTestClient(world.server.url, (await createKey({}, maker)).secret);
    const token = (await agent.post("/api/v1/agent_tokens", { name: "Of a leaver" })).body;
    const socket = (await createTestClient(world.server.url, token.token).post("/api/v1/socket_tokens", {}))
      .body;
    await owner.submit(`/settings/members/${maker.person.id}`, { act: "suspend" });
    expect((await whoAmI(token.token)).status).toBe(401);
    const { text } = await owner.get("/settings/agent-tokens");
    const row = text.split("<tr ").find((row) => row.includes(token.id)) ?? "";
    expect(getElementText({ text: row }, "td")).toBe("Revoked");
    expect((await owner.get("/settings/socket-tokens")).text).not.toContain(socket.id);
  });

  it("hide socket tokens of revoked agent tokens", async () => {
    const token = (await world.agent.post("/api/v1/agent_tokens", {})).body;
    const socket = (await createTestClient(world.server.url, token.token).post("/api/v1/socket_tokens", {}))
      .body;
    expect((await owner.get("/settings/socket-tokens")).text).toContain(socket.id);
    expect((await world.agent.delete(`/api/v1/agent_tokens/${token.id}`)).status).toBe(204);
    expect((await owner.get("/settings/socket-tokens")).text).not.toContain(socket.id);
  });

  it("have pages", async () => {
    for (let made = 0; made < 26; made++)
      await world.agent.post("/api/v1/agent_tokens", { name: `Token ${made}` });
    const first = await owner.get("/settings/agent-tokens");
    expect(first.text).toContain('href="?offset=25"');
    const second = await owner.get("/settings/agent-tokens?offset=25");
    expect(second.text).toContain('href="?offset=0"');
    for (const offset of ["x", "-1", "999999"]) {
      expect((await owner.get(`/settings/agent-tokens?offset=${offset}`)).status).toBe(200);
    }
  });
});

describe("/settings/scim", () => {
  it("creates a token, rotates it with an overlap, and revokes it", async () => {
    const fresh = await openPageWorld();
    const owner = await fresh.enter("owner");
    await revokeAll(owner);
    expect((await owner.get("/settings/scim")).text).toContain("No token");
    const first = await owner.submit("/settings/scim", { act: "rotate", label: "Okta" });
    expect(secretIn(first)).toMatch(/^agp_[0-9A-Za-z]{49}$/);
    expect(first.text).toContain(`${fresh.server.url}/scim/v2`);
    const second = await owner.submit("/settings/scim", {
      act: "rotate",
      label: "",
      overlap_seconds: "3600",
    });
    expect(secretIn(second)).toMatch(/^agp_[0-9A-Za-z]{49}$/);
    const third = await owner.submit("/settings/scim", {
      act: "rotate",
      label: "Third",
      overlap_seconds: "3600",
    });
    expect(third.status).toBe(409);
    expect(third.text).toContain("Two SCIM tokens are valid");
    expect(third.text).toContain('value="Third"');
    const page = await owner.get("/settings/scim");
    for (const secret of [secretIn(first), secretIn(second)]) expect(page.text).not.toContain(secret);
    await revokeAll(owner);
    expect((await owner.get("/settings/scim")).text).toContain("No token");
    const refused = await owner.submit("/settings/scim", {
      act: "rotate",
      label: "x",
      overlap_seconds: "86401",
    });
    expect(refused.status).toBe(422);
    await fresh.close();
  });

  it("shows admins the forms for owners disabled", async () => {
    const admin = await world.enter("admin");
    const page = await admin.get("/settings/scim");
    expect(page.text).toContain("Only owners can create, rotate and revoke tokens");
    expect(page.text).toMatch(/<fieldset[^>]* disabled/);
    expect(page.text).not.toContain('value="revoke"');
    const refused = await admin.submit("/settings/scim", { act: "rotate", label: "x" });
    expect(refused.status).toBe(403);
    expect(refused.text).not.toMatch(/agp_[0-9A-Za-z]{49}/);
    const owner = await world.enter("owner");
    await world.endSudo(owner.person);
    expect((await owner.get("/settings/scim")).text).toContain("confirm it's you first");
  });
});

async function revokeAll(admin: TestVisitor): Promise<void> {
  const page = await admin.get("/settings/scim");
  for (const [, id] of page.text.matchAll(/name="id" value="([0-9a-f-]{36})"/g)) {
    const answer = await admin.submit("/settings/scim", { act: "revoke", id: id ?? "" });
    expect(answer.location).toBe("/settings/scim?notice=revoked");
  }
}

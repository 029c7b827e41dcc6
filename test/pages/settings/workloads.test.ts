import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { userCtx } from "../../support/callers.ts";
import { AUDIENCE, type TestIssuer, startIssuer } from "../../support/test-issuer.ts";
import { createTestClient } from "../../support/test-client.ts";
import { exchangeAt, insertTrust } from "../../support/workload-scene.ts";
import { type PageWorld, openPageWorld } from "../support/page-world.ts";
import { type TestVisitor, getElementText } from "../support/test-visitor.ts";

const PATH = "/settings/workloads";

let world: PageWorld;
let issuer: TestIssuer;
let owner: TestVisitor;

beforeAll(async () => {
  world = await openPageWorld({ OUTBOUND_ALLOW: "127.0.0.0/8" });
  issuer = await startIssuer();
  owner = await world.enter("owner");
});

afterAll(async () => {
  await issuer.close();
  await world.close();
});

function fields() {
  return {
    ...{ name: "Shop", agent_handle: "primary", issuer: issuer.url, audience: AUDIENCE, jwks: "" },
    ...{ claim_patterns: "sub=repo:acme/shop:*", scopes: ["tasks:read"], lifetime_minutes: "15" },
  };
}

/** @returns the path of the new trust's page, and its id. */
async function createTrust(name: string): Promise<{ path: string; id: string }> {
  await owner.submit(PATH, { ...fields(), name });
  const { text } = await owner.get(PATH);
  const [path = "", id = ""] = new RegExp(`${PATH}/([0-9a-f-]{36})">${name}<`).exec(text) ?? [];
  return { path: path.slice(0, path.indexOf('"')), id };
}

async function exchange(id: string) {
  const { status, body } = await exchangeAt(world.server.url)(id, await issuer.sign());
  return { status, client: createTestClient(world.server.url, body.access_token) };
}

describe("/settings/workloads/:id", () => {
  it("shows what a trust has, and changes it: then tokens of the earlier rules are revoked", async () => {
    const { path, id } = await createTrust("Deployments");
    const { client } = await exchange(id);
    expect((await client.get("/api/v1/tasks")).status).toBe(200);
    const { text } = await owner.get(path);
    for (const shown of [id, "sub=repo:acme/shop:*", issuer.url, 'value="15"']) expect(text).toContain(shown);
    const changed = { ...fields(), act: "update", name: "Rollouts", scopes: ["agents:read"] };
    const saved = await owner.submit(path, { ...changed, lifetime_minutes: "5", reusable: "true" });
    expect(saved.location).toBe(`${path}?notice=saved`);
    expect(getElementText(await owner.get(path), "h1")).toBe("Rollouts");
    expect((await client.get("/api/v1/tasks")).status).toBe(401);
    const { client: renewed } = await exchange(id);
    expect((await renewed.get("/api/v1/agents")).status).toBe(200);
    expect((await renewed.get("/api/v1/tasks")).status).toBe(403);
  });

  it("shows what is wrong at its field, and keeps what was entered", async () => {
    const { path } = await createTrust("Wrong");
    const entered = { ...fields(), act: "update", claim_patterns: "sub=*", lifetime_minutes: "16" };
    const refused = await owner.submit(path, entered);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('id="claimPatterns-error"');
    expect(refused.text).toContain("sub=*</textarea");
    expect(refused.text).toContain('value="16"');
  });

  it("disables and enables", async () => {
    const { path, id } = await createTrust("Nightly");
    expect((await owner.submit(path, { act: "disable" })).location).toBe(`${path}?notice=disabled`);
    expect((await exchange(id)).status).toBe(400);
    expect((await owner.submit(path, { act: "enable" })).location).toBe(`${path}?notice=enabled`);
    expect((await exchange(id)).status).toBe(200);
  });

  it("is there for admins of its workspace alone, and only while it exists", async () => {
    const { path } = await createTrust("Ours");
    expect((await (await world.enter("operator")).get(path)).status).toBe(403);
    const others = await insertTrustOfAnother();
    for (const missing of [others, `${PATH}/${crypto.randomUUID()}`]) {
      expect((await owner.get(missing)).status).toBe(404);
      expect((await owner.submit(missing, { act: "delete" })).status).toBe(404);
    }
    expect((await owner.submit(path, { act: "delete" })).location).toBe(`${PATH}?notice=deleted`);
    expect((await owner.get(path)).status).toBe(404);
  });
});

async function insertTrustOfAnother(): Promise<string> {
  const { workspaceId } = await world.another();
  const admin = userCtx(world.server, workspaceId, "admin");
  return `${PATH}/${await insertTrust(admin, "Theirs")}`;
}

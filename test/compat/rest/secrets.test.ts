import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tablesWith } from "../../support/tables-with.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let secrets: Record<string, string>;

beforeAll(async () => {
  world = await createWorld();
  const { body: access } = await world.agent.post("/api/v1/agent_tokens", { name: "robot-7" });
  const { body: socket } = await createTestClient(world.server.url, access.token).post(
    "/api/v1/socket_tokens",
  );
  secrets = {
    "an API key": world.apiKey,
    "a SCIM token": world.scimToken,
    "an access token": access.token,
    "a socket token": socket.token,
  };
  for (const secret of Object.values(secrets)) await sendEverywhere(secret);
});

afterAll(() => world.server.close());

/** Sends a secret in all the places a careless client might use. */
async function sendEverywhere(secret: string): Promise<void> {
  const agent = createTestClient(world.server.url, secret);
  await agent.get("/api/v1/whoami");
  await agent.get(`/api/v1/tasks?access_token=${secret}&token=${secret}`);
  await agent.post("/api/v1/tasks", { title: 5, access_token: secret });
  await agent.graphql(`{ viewer { scopes } }`);
  await world.agent.post("/api/v1/tokens/introspect", { token: secret });
  await world.agent.post("/api/v1/agent_tokens", { scopes: [secret] });
  await world.agent.post("/api/v1/tokens/revoke", `token=${secret}`);
  await createTestClient(world.server.url, `${secret}x`).get("/api/v1/whoami");
}

const KEPT_IN = {
  "an API key": "api_key",
  "a SCIM token": "scim_token",
  "an access token": "agent_token",
  "a socket token": "socket_token",
};

describe.each(Object.entries(KEPT_IN))("the secret of %s", (kind, table) => {
  function secret(): string {
    const found = secrets[kind];
    if (found === undefined) throw new Error(`there is no ${kind}`);
    return found;
  }

  /** The secret part. */
  function core(): string {
    return secret().slice(-49, -6);
  }

  it("is stored only as a digest", async () => {
    expect(
      await tablesWith(world.server.database, createHash("sha256").update(secret()).digest("hex")),
    ).toEqual([table]);
    for (const text of [
      core(),
      Buffer.from(core()).toString("hex"),
      Buffer.from(core()).toString("base64").slice(0, 56),
    ]) {
      expect(await tablesWith(world.server.database, text)).toEqual([]);
    }
  });

  it("is never logged", async () => {
    const log = world.server.logged.join("\n");
    expect(log).toContain("/api/v1/whoami");
    expect(log).not.toContain(core());
    expect(log).not.toContain(createHash("sha256").update(secret()).digest("hex"));
  });
});

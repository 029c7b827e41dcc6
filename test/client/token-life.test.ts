import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Client, createClient } from "../../src/client/client.ts";
import { type TestWorld, createWorld } from "../support/test-world.ts";

const folder = mkdtempSync(path.join(tmpdir(), "agent-ops-tokens-"));

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.server.close();
});

function createAgentClient(handle: string): Client {
  return createClient({ url: world.server.url, token: world.apiKey, agent: { handle }, log: () => {} });
}

/** The agent's valid tokens, oldest first. */
async function readActiveTokens(handle: string): Promise<{ id: string; name: string; hours: number }[]> {
  return world.server.database.query(
    `SELECT t.id, t.name, round(EXTRACT(EPOCH FROM t.expires_at - t.created_at) / 3600)::int AS hours
     FROM agent_token t JOIN agent a ON a.workspace_id = t.workspace_id AND a.id = t.agent_id
     WHERE a.handle = $1 AND t.revoked_at IS NULL ORDER BY t.created_at`,
    [handle],
  );
}

describe("an agent's token", () => {
  it("is short-lived and named, and revoked when the last loop ends", async () => {
    const client = createAgentClient("clean");
    const [tasks, commands] = [new AbortController(), new AbortController()];
    const held = client.workTasks({ signal: tasks.signal, handle: async () => {} });
    const following = client.handleCommands({
      journal: path.join(folder, "journal"),
      handlers: {},
      signal: commands.signal,
    });
    await client.send("GET /whoami", {});
    tasks.abort();
    await held;
    expect(await readActiveTokens("clean")).toMatchObject([
      { hours: 6, name: expect.stringMatching(/ \d+$/) },
    ]);
    commands.abort();
    await following;
    expect(await readActiveTokens("clean")).toEqual([]);
  });

  it("is revoked by close, and replaced if needed later", async () => {
    const client = createAgentClient("closed");
    await client.send("GET /whoami", {});
    await client.close();
    expect(await readActiveTokens("closed")).toEqual([]);
    await client.send("GET /whoami", {});
    expect(await readActiveTokens("closed")).toHaveLength(1);
    await client.close();
  });

  it("can be minted after a thousand crashes", async () => {
    const [handle, other] = [createAgentClient("crashing"), createAgentClient("another")];
    await handle.send("GET /whoami", {});
    await world.server.database.query(
      `INSERT INTO agent_token (workspace_id, id, agent_id, api_key_id, digest, scopes, created_at, expires_at)
       SELECT workspace_id, gen_random_uuid(), agent_id, api_key_id, sha256((n || id::text)::bytea), scopes,
         created_at + n * interval '1 ms', expires_at
       FROM agent_token, generate_series(1, 999) n WHERE id = $1`,
      [(await readActiveTokens("crashing"))[0]?.id],
    );
    expect((await createAgentClient("crashing").send("GET /whoami", {})).actor.name).toBe("crashing");
    expect(await readActiveTokens("crashing")).toHaveLength(1000);
    // The first process, whose token was the oldest, mints another.
    expect((await handle.send("GET /whoami", {})).actor.name).toBe("crashing");
    expect((await other.send("GET /whoami", {})).actor.name).toBe("another");
  });
});

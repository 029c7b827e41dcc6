import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { expectFields, expectProblem, withoutRequest } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const TOKENS = "/api/v1/agent_tokens";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

async function mint(by: TestClient, body: object = {}) {
  const answer = await by.post(TOKENS, body);
  expect(answer.status).toBe(201);
  return answer.body;
}

async function readHandle(agentId: string): Promise<string> {
  const [row] = await world.server.database.query<{ handle: string }>(
    "SELECT handle FROM agent WHERE id = $1",
    [agentId],
  );
  return row?.handle ?? "";
}

describe("the agent of a new token", () => {
  it("is created if its handle is new", async () => {
    const made = await mint(world.agent, {
      agent: { handle: "robot-7.a_b", name: "Robot seven", kind: "robot" },
    });
    const { actor } = (await createTestClient(world.server.url, made.token).get("/api/v1/whoami")).body;
    expect(actor).toEqual({ type: "agent", id: made.agent_id, name: "Robot seven" });
    const { robots } = (await world.agent.get("/api/v1/operator/robots")).body;
    expect(robots.map(({ id }: { id: string }) => id)).toContain(made.agent_id);
  });

  it("is by default software, with its handle as name", async () => {
    const made = await mint(world.agent, { agent: { handle: "quiet" } });
    const rows = await world.server.database.query("SELECT name, kind FROM agent WHERE id = $1", [
      made.agent_id,
    ]);
    expect(rows).toEqual([{ name: "quiet", kind: "software" }]);
  });

  it("is found by its handle", async () => {
    const first = await mint(world.agent, { agent: { handle: "again", kind: "robot" } });
    const second = await mint(world.agent, { agent: { handle: "again", name: "Another name" } });
    expect(second.agent_id).toBe(first.agent_id);
    await mint(world.agent, { agent: { handle: "again", kind: "robot" } });
    expectFields(
      await world.agent.post(TOKENS, { agent: { handle: "again", kind: "software" } }),
      "agent.kind",
    );
  });

  it("requires agents:write, unless it is the key's own agent", async () => {
    await mint(world.agent, { agent: { handle: "somebody" } });
    const key = await world.agentWith("tasks:read");
    const own = await mint(key);
    expect((await mint(key, { agent: { handle: await readHandle(own.agent_id) } })).agent_id).toBe(
      own.agent_id,
    );
    const known = await key.post(TOKENS, { agent: { handle: "somebody" } });
    expectProblem(known, 403, "insufficient_scope");
    expect(known.headers.get("www-authenticate")).toContain('scope="agents:write"');
    const unknown = await key.post(TOKENS, { agent: { handle: "nobody" } });
    expect(withoutRequest(unknown)).toEqual(withoutRequest(known));
  });

  it("is separate in each workspace", async () => {
    const other = await world.another();
    const [mine, theirs] = [{ handle: "shared" }, { handle: "shared" }];
    const ids = [await mint(world.agent, { agent: mine }), await mint(other.agent, { agent: theirs })];
    expect(ids[0].agent_id).not.toBe(ids[1].agent_id);
  });

  it("can't be archived", async () => {
    const { agent_id: id } = await mint(world.agent, { agent: { handle: "retired" } });
    await world.server.database.query("UPDATE agent SET archived_at = now() WHERE id = $1", [id]);
    expectFields(await world.agent.post(TOKENS, { agent: { handle: "retired" } }), "agent.handle");
  });

  it("is created once by two concurrent requests", async () => {
    const other = await world.agentWith("agents:write");
    for (let round = 0; round < 5; round++) {
      const agent = { handle: `race-${round}` };
      const [a, b] = await Promise.all([mint(world.agent, { agent }), mint(other, { agent })]);
      expect(a.agent_id).toBe(b.agent_id);
    }
  });
});

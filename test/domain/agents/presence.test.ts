import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notePresence } from "../../../src/domain/agents/note-presence.ts";
import { getPresence } from "../../../src/domain/agents/presence.ts";
import { listEvents } from "../../../src/domain/event-log/list-events.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { agentSocket } from "../../support/socket-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

function later(seconds: number): Date {
  return new Date(Date.now() + seconds * 1000);
}

async function readEventTypes(cursor: string, subjectId: string): Promise<string[]> {
  const { events } = await listEvents(world.ctx, { after: cursor, subjectId });
  return events.map(({ type }) => type);
}

describe("getPresence", () => {
  it.each([
    [0, "online"],
    [59, "online"],
    [61, "stale"],
    [299, "stale"],
    [301, "offline"],
  ])("after %d seconds is %s", (seconds, presence) => {
    expect(getPresence(new Date(), later(seconds))).toBe(presence);
  });

  it("is offline for agents never seen", () => {
    expect(getPresence(null, new Date())).toBe("offline");
  });
});

describe("notePresence", () => {
  it("writes one event per change, from any number of nodes, without changing the list's version", async () => {
    const id = await insertTestAgent(world.ctx);
    const { cursor } = await listEvents(world.ctx, {});
    const [before] = await world.server.database.query(
      "SELECT version FROM collection_total WHERE workspace_id = $1 AND collection = 'agents' AND facet = 'all'",
      [world.workspaceId],
    );
    await world.server.database.query("UPDATE agent SET last_seen_at = now() WHERE id = $1", [id]);
    for (const at of [later(0), later(10), later(70), later(280), later(310), later(400)]) {
      await Promise.all([0, 1, 2].map(() => notePresence(world.server.services, at)));
    }
    expect(await readEventTypes(cursor, id)).toEqual(["agent.online", "agent.stale", "agent.offline"]);
    await world.server.database.query("UPDATE agent SET last_seen_at = now() WHERE id = $1", [id]);
    await notePresence(world.server.services);
    expect((await readEventTypes(cursor, id)).at(-1)).toBe("agent.online");
    const [after] = await world.server.database.query(
      "SELECT version FROM collection_total WHERE workspace_id = $1 AND collection = 'agents' AND facet = 'all'",
      [world.workspaceId],
    );
    expect(after).toEqual(before);
  });
});

describe("Agent.presence", () => {
  it("is online from the first socket until a minute after it closed", async () => {
    const handle = `walker-${crypto.randomUUID()}`;
    const { body } = await world.agent.post("/api/v1/agent_tokens", {
      agent: { handle, name: "Walker" },
    });
    const query = "{ agents(first: 100) { nodes { handle presence lastSeenAt } } }";
    const read = async () => {
      const answer = await world.agent.graphql(query);
      return answer.body.data.agents.nodes.find((agent: { handle: string }) => agent.handle === handle);
    };
    /** The socket's opening and its token's use are both recorded in the background. */
    const setSeenAgo = (age: string, presence: string) =>
      expect
        .poll(async () => {
          await world.server.database.query(
            "UPDATE agent SET last_seen_at = now() - $2::interval WHERE handle = $1",
            [handle, age],
          );
          return (await read()).presence;
        })
        .toBe(presence);
    expect((await read()).presence).toBe("OFFLINE");
    const socket = await agentSocket(world.server.url, body.token);
    await expect.poll(async () => (await read()).presence).toBe("ONLINE");
    await setSeenAgo("1 hour", "OFFLINE");
    socket.socket.close();
    await socket.closed;
    await expect.poll(async () => (await read()).presence).toBe("ONLINE");
    await setSeenAgo("2 minutes", "STALE");
  });
});

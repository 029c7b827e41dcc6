import { expect, it, vi } from "vitest";
import { PATIENCE } from "../../support/patience.ts";
import { startNode } from "../../support/node-process.ts";
import { buildCookie, createPerson, beginTestSession } from "../../support/people.ts";
import { createTestClient } from "../../support/test-client.ts";
import { createWorld } from "../../support/test-world.ts";

const AGENTS = 10_000;
const BEFORE_THE_KILL = 1500;

it(
  "a stop of 10,000 agents whose node is killed reaches each of them once: another node goes on",
  { timeout: 180_000 },
  async () => {
    const world = await createWorld();
    const node = await startNode(world.server.database.url);
    try {
      const { workspaceId, server } = world;
      const { query } = server.database;
      await query(
        `INSERT INTO agent (workspace_id, id, handle, name, kind)
       SELECT $1, gen_random_uuid(), 'many-' || n, 'One of many', 'software' FROM generate_series(1, $2::int) n`,
        [workspaceId, AGENTS],
      );
      const person = await createPerson(server, workspaceId, { role: "operator" });
      const cookie = buildCookie(await beginTestSession(server, person));
      const operator = createTestClient(node.url, undefined, { cookie, origin: node.url });
      const stopping = operator.post("/api/v1/operator/emergency_stop", { reason: "fire" }).catch(() => null);
      const countTold = async () => {
        const [row] = await query<{ told: number; agents: number; sent: boolean }>(
          `SELECT count(c.id)::int AS told, count(DISTINCT c.agent_id)::int AS agents, s.sent
         FROM stop s LEFT JOIN agent_command c ON c.workspace_id = s.workspace_id AND c.batch_id = s.id
         WHERE s.workspace_id = $1 GROUP BY s.id, s.sent`,
          [workspaceId],
        );
        return row;
      };
      await vi.waitFor(
        async () => expect((await countTold())?.told).toBeGreaterThan(BEFORE_THE_KILL),
        PATIENCE,
      );
      await node.kill();
      const answer = await stopping;
      const atKill = await countTold();
      expect({ answer, sent: atKill?.sent }).toEqual({ answer: null, sent: false });
      expect((await world.agent.post("/api/v1/agent_tokens")).body.code).toBe("emergency_stop");
      // The key's own agent too.
      const all = { told: AGENTS + 1, agents: AGENTS + 1, sent: true };
      await vi.waitFor(async () => expect(await countTold()).toEqual(all), {
        timeout: 120_000,
        interval: 200,
      });
    } finally {
      await node.kill();
      await world.server.close();
    }
  },
);

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deliverToAgents } from "../../../src/domain/agent-commands/deliver-agent-commands.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { createActorRecord } from "../../../src/domain/kernel/actor.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const AGENTS = 15;
const EACH = 10;

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describe("deliverToAgents", () => {
  it("delivers about 4 MiB at once, the first commands of each agent before its later ones", async () => {
    const { ctx } = await world.another();
    const agentIds: string[] = [];
    for (let index = 0; index < AGENTS; index++) agentIds.push(await insertTestAgent(ctx, "robot"));
    for (let index = 0; index < EACH; index++) {
      const params = { text: "x".repeat(60_000) };
      await issueAgentCommands(ctx, {
        selector: { kind: "robot" },
        type: "custom.turn",
        priority: "urgent",
        params,
      });
    }
    const by = createActorRecord(ctx.actor);
    const asked = agentIds.map((agentId) => ({ agentId, limit: 100, by, now: null }));
    const delivered = await deliverToAgents(ctx, asked);
    const counts = agentIds.map((id) => delivered.get(id)?.length ?? 0);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(70);
    expect(new Set(counts)).toEqual(new Set([4, 5]));
    const seen = agentIds.map((id) => [...(delivered.get(id) ?? [])]);
    for (let turn = 0; turn < 2; turn++) {
      const more = await deliverToAgents(ctx, asked);
      agentIds.forEach((id, index) => seen[index]?.push(...(more.get(id) ?? [])));
    }
    const order = Array.from({ length: EACH }, (_each, index) => BigInt(index + 1));
    for (const commands of seen) expect(commands.map(({ seq }) => seq)).toEqual(order);
  });
});

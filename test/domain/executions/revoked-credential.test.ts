import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { revokeAgentToken } from "../../../src/auth/agent-tokens/revoke-agent-token.ts";
import { createApiKey } from "../../../src/auth/api-keys/create-api-key.ts";
import { revokeApiKey } from "../../../src/auth/api-keys/revoke-api-key.ts";
import { rotateApiKey } from "../../../src/auth/api-keys/rotate-api-key.ts";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { readExecution } from "../../../src/domain/executions/read-execution.ts";
import { resolveExecution } from "../../../src/domain/executions/resolve-execution.ts";
import { sweepExecutions } from "../../../src/domain/executions/sweep-executions.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { ALLOW, refund } from "../../support/gateway-scene.ts";
import { openSessionCtx } from "../../support/open-session-ctx.ts";
import { createPerson, beginTestSession } from "../../support/people.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/api/v1/gateway/executions";

let world: TestWorld;
let ctx: Ctx;
let keyId: string;
let key: TestClient;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ ctx } = await world.another());
  await createPolicy(ctx, ALLOW);
  const scopes = ["gateway:check", "agents:write"] as const;
  const { apiKey, secret } = await createApiKey(ctx, { name: "A key", scopes: [...scopes] });
  keyId = apiKey.id;
  key = createTestClient(world.server.url, secret);
});

type Minted = { id: string; agentId: string; agent: TestClient };

async function mint(handle = "billing-7"): Promise<Minted> {
  const { body } = await key.post("/api/v1/agent_tokens", { agent: { handle } });
  return { id: body.id, agentId: body.agent_id, agent: createTestClient(world.server.url, body.token) };
}

/** Opens an execution of what policies allow. @returns its id. */
async function start(agent: TestClient): Promise<string> {
  const { status, body } = await agent.post(PATH, { decision_id: crypto.randomUUID(), request: refund() });
  expect(status).toBe(201);
  return body.execution.id;
}

async function sweepAndRead(...ids: string[]): Promise<string[]> {
  await sweepExecutions(world.server.services);
  return Promise.all(ids.map(async (id) => (await readExecution(ctx, { id })).status));
}

describe("an execution whose credential is revoked", () => {
  it("is unknown if its token is, and that of another token goes on", async () => {
    const [revoked, other] = [await mint(), await mint()];
    const [lost, kept] = [await start(revoked.agent), await start(other.agent)];
    expect(await sweepAndRead(lost, kept)).toEqual(["started", "started"]);
    await revokeAgentToken(ctx, revoked.id);
    expect(await sweepAndRead(lost, kept)).toEqual(["unknown", "started"]);
    const ended = await readExecution(ctx, { id: lost });
    expect(ended.endedAt?.getTime()).toBeLessThan(ended.leaseExpiresAt.getTime());
  });

  it("is unknown if its key is, or the key of its token", async () => {
    const ids = [await start(key), await start((await mint()).agent)];
    await revokeApiKey(ctx, keyId);
    expect(await sweepAndRead(...ids)).toEqual(["unknown", "unknown"]);
  });

  it("is unknown if its agent is archived", async () => {
    const { agent, agentId } = await mint();
    const [id, other] = [await start(agent), await start((await mint("other-7")).agent)];
    await archiveAgent(ctx, agentId);
    expect(await sweepAndRead(id, other)).toEqual(["unknown", "started"]);
  });

  it("goes on if its key was rotated", async () => {
    const ids = [await start(key), await start((await mint()).agent)];
    await rotateApiKey(ctx, keyId, { overlapSeconds: 0 });
    expect(await sweepAndRead(...ids)).toEqual(["started", "started"]);
  });

  it("can be done again by its agent, with a credential that is valid", async () => {
    const { id, agent } = await mint();
    const first = await start(agent);
    await revokeAgentToken(ctx, id);
    await sweepExecutions(world.server.services);
    const operator = await createPerson(world.server, ctx.workspaceId, { role: "operator" });
    const person = await openSessionCtx(world.server, await beginTestSession(world.server, operator));
    const { retry } = await resolveExecution(person, {
      id: first,
      outcome: "retried",
      reason: "It was not done.",
    });
    const again = retry ?? expect.fail("it is not retried");
    expect(await sweepAndRead(first, again.id)).toEqual(["retried", "started"]);
    const completed = await (
      await mint()
    ).agent.post(`${PATH}/${again.id}/complete`, { fence: Number(again.fence) });
    expect(completed.status).toBe(200);
  });
});

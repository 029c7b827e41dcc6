import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { ASK, check, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const PATH = "/api/v1/operator/decisions";

let world: TestWorld;
let ctx: Ctx;
let agent: TestClient;
let agentId: string;
let reader: TestClient;
let asker: TestClient;
let id: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  const scene = await createGatewayScene(world);
  ({ ctx, agent, agentId } = scene);
  reader = await scene.agentWith("gateway:read");
  asker = await scene.agentWith("gateway:check");
  await createPolicy(ctx, ASK);
  await check(agent, refund({ amount: 1 }));
  ({ id } = await check(agent, refund({ amount: 900, password: "x" })));
});

describe(`GET ${PATH}`, () => {
  it("lists decisions, newest first, by outcome and agent", async () => {
    const { status, body } = await reader.get(PATH);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        decisions: [
          {
            ...{ id, agent_id: agentId, subject: null, action: "tools/call", outcome: "ask" },
            ...{ resource: { type: "tool", id: "stripe.refund" }, reason: "approval_required" },
            policies: [{ name: ASK.name, effect: "ask", mode: "enforce", error: null, decided: true }],
            request: { action: { properties: { arguments: { amount: 900, password: "[redacted]" } } } },
          },
          { outcome: "deny", reason: "default_deny", policies: [] },
        ],
        pagination: { total: 2, has_more: false },
      },
    });
    const filtered = await reader.get(`${PATH}?outcome=ask&agent_id=${agentId}&limit=1`);
    expect(filtered.body).toMatchObject({ decisions: [{ id }], pagination: { total: 1 } });
    const others = await reader.get(`${PATH}?agent_id=${crypto.randomUUID()}`);
    expect(others.body).toMatchObject({ decisions: [] });
  });

  it("lists what was decided in a period, whose end is not part of it", async () => {
    const { body } = await reader.get(PATH);
    const [{ created_at: last }, { created_at: first }] = body.decisions;
    const list = async (query: string) => {
      const { body: page } = await reader.get(`${PATH}?${query}`);
      return page.decisions.map(({ created_at: at }: { created_at: string }) => at);
    };
    expect(await list(`from=${first}`)).toEqual([last, first]);
    expect(await list(`to=${first}`)).toEqual([]);
    expect(await list(`from=${first}&to=${new Date(Date.parse(last) + 1).toISOString()}`)).toEqual([
      last,
      first,
    ]);
    expect(await list(`from=${new Date(Date.parse(last) + 1).toISOString()}`)).toEqual([]);
    const { headers } = await reader.get(`${PATH}?limit=1&from=${first}`);
    expect(headers.get("link")).toContain(`from=${encodeURIComponent(first)}`);
  });

  it.each([
    "?from=yesterday",
    "?to=2026-11-22T10:00:00",
    "?outcome=maybe",
    "?agent_id=x",
    "?limit=0",
    "?other=1",
  ])("rejects %s", async (query) => {
    expect(await reader.get(`${PATH}${query}`)).toMatchObject({ status: expect.toSatisfy(isRejection) });
  });

  it("requires gateway:read", async () => {
    expect(await asker.get(PATH)).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
    expect(await createTestClient(world.server.url, "none").get(PATH)).toMatchObject({ status: 401 });
  });
});

function isRejection(status: number): boolean {
  return status === 400 || status === 422;
}

describe(`GET ${PATH}/{id}/explain`, () => {
  it("explains a decision", async () => {
    const { status, body } = await reader.get(`${PATH}/${id}/explain`);
    const approval = {
      role: "operator",
      persons: 1,
      ttl_s: 900,
      valid_s: 300,
      uses: 1,
      scope: "exact",
      edits: false,
    };
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        explanation: {
          ...{ outcome: "ask", reason: "approval_required", gaps: [] },
          steps: [
            { step: "stop", decided: false, policies: null },
            {
              ...{ step: "policies", considered: 1, of: 1 },
              policies: [
                {
                  ...{ name: ASK.name, result: "true", decided: true },
                  conditions: [
                    { text: "has(args.amount)", start: 0, end: 16, depth: 0, result: "true", error: null },
                    { text: "args.amount > 500", result: "true" },
                  ],
                },
              ],
            },
            { step: "approval", decided: true, approval },
          ],
        },
      },
    });
  });

  it("requires gateway:read and a decision", async () => {
    expect(await asker.get(`${PATH}/${id}/explain`)).toMatchObject({ status: 403 });
    expect(await reader.get(`${PATH}/${crypto.randomUUID()}/explain`)).toMatchObject({ status: 404 });
  });
});

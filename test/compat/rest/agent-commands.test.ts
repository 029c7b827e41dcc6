import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertTestAgent, createAgentCommand, insertTestMission } from "../../support/factories.ts";
import { createPerson, buildCookie, beginTestSession } from "../../support/people.ts";
import { createTestClient } from "../../support/test-client.ts";
import { describeGuard, expectFields, expectProblem } from "../../support/problem.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const COMMANDS = "/api/v1/operator/agent_commands";

let world: TestWorld;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

describeGuard({ path: COMMANDS, scope: "agent_commands:read" }, () => world);
describeGuard({ method: "POST", path: COMMANDS, scope: "agent_commands:write" }, () => world);
const cancel = `${COMMANDS}/${crypto.randomUUID()}/cancel`;
describeGuard({ method: "POST", path: cancel, scope: "agent_commands:write" }, () => world);
const one = `/api/v1/agent_commands/${crypto.randomUUID()}`;
describeGuard({ path: one, scope: "agent_commands:read" }, () => world);

describe("GET /api/v1/operator/agent_commands", () => {
  it("returns all fields of a command", async () => {
    const { agent, ctx } = await world.another();
    const agentId = await insertTestAgent(ctx);
    const missionId = await insertTestMission(ctx);
    const id = await createAgentCommand(ctx, agentId, {
      type: "robot.dock",
      params: { station: "A1" },
      status: "timed_out",
      priority: "urgent",
      missionId,
      progress: 0.5,
      statusDetail: "no answer",
      error: { code: "timeout" },
      createdAt: new Date("2100-11-21T10:00:45.678Z"),
      expiresAt: new Date("2100-11-21T11:00:00Z"),
    });
    const { status, body } = await agent.get(COMMANDS);
    expect(status).toBe(200);
    expect(body.agent_commands).toMatchObject([
      {
        id,
        agent_id: agentId,
        seq: 1,
        type: "robot.dock",
        params: { station: "A1" },
        status: "timed_out",
        priority: "urgent",
        mission_id: missionId,
        task_id: null,
        progress: 0.5,
        status_detail: "no answer",
        result: null,
        error: { code: "timeout" },
        issued_by: { type: "system", id: null, name: "test" },
        created_at: "2100-11-21T10:00:45.678Z",
        expires_at: "2100-11-21T11:00:00.000Z",
      },
    ]);
  });

  it("ignores an offset", async () => {
    const { agent, ctx } = await world.another();
    const id = await createAgentCommand(ctx, await insertTestAgent(ctx));
    for (const offset of ["1", "100000", "-1", "x", ""]) {
      const { status, body } = await agent.get(`${COMMANDS}?offset=${offset}`);
      expect([status, body.agent_commands[0].id]).toEqual([200, id]);
    }
  });
});

describe("the filters of GET /api/v1/operator/agent_commands", () => {
  it("select by agent, status and batch", async () => {
    const { agent, ctx } = await world.another();
    const [a, b] = [await insertTestAgent(ctx), await insertTestAgent(ctx)];
    const batchId = crypto.randomUUID();
    const first = await createAgentCommand(ctx, a, { batchId });
    const second = await createAgentCommand(ctx, a, { status: "expired" });
    const third = await createAgentCommand(ctx, b, { batchId });
    const readIds = async (query: string) =>
      (await agent.get(`${COMMANDS}?${query}`)).body.agent_commands.map(({ id }: { id: string }) => id);
    expect(await readIds(`agent_id=${a}`)).toEqual([second, first]);
    expect(await readIds("status=expired")).toEqual([second]);
    expect(await readIds(`batch_id=${batchId}`)).toEqual([third, first]);
    expect(await readIds(`batch_id=${batchId}&agent_id=${a}&status=queued`)).toEqual([first]);
    expect(await readIds(`agent_id=${crypto.randomUUID()}`)).toEqual([]);
  });

  it("apply to all pages of the Link header", async () => {
    const { agent, ctx } = await world.another();
    const agentId = await insertTestAgent(ctx);
    const ids: string[] = [];
    for (let index = 0; index < 5; index++) ids.unshift(await createAgentCommand(ctx, agentId));
    const seen: string[] = [];
    let next: string | undefined = `${COMMANDS}?limit=2&agent_id=${agentId}`;
    while (next !== undefined) {
      const { body, headers } = await agent.get(next);
      seen.push(...body.agent_commands.map(({ id }: { id: string }) => id));
      next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(seen).toEqual(ids);
  });

  it.each(["status=nonsense", "agent_id=x", "batch_id=", "before=y"])("reject %s", async (query) => {
    expectFields(await world.agent.get(`${COMMANDS}?${query}`), query.split("=")[0] ?? "");
  });

  it("reject an unknown command as `before`", async () => {
    expectFields(await world.agent.get(`${COMMANDS}?before=${crypto.randomUUID()}`), "before");
  });
});

describe("POST /api/v1/operator/agent_commands", () => {
  it("issues a command to one agent and returns 202", async () => {
    const { agent, ctx } = await world.another();
    const agentId = await insertTestAgent(ctx);
    const order = {
      agent_id: agentId,
      type: "custom.turn",
      params: { by: 90 },
      priority: "urgent",
      expires_in_s: 60,
    };
    const { status, body } = await agent.post(COMMANDS, order);
    expect(status).toBe(202);
    expect(body).toMatchObject({
      batch_id: expect.any(String),
      agent_commands: [
        {
          agent_id: agentId,
          seq: 1,
          type: "custom.turn",
          params: { by: 90 },
          priority: "urgent",
          status: "queued",
        },
      ],
    });
    expect(body.agent_commands[0].batch_id).toBe(body.batch_id);
    const query =
      "query ($batchId: UUID!) { agentCommandBatch(batchId: $batchId) { total open counts { status count } } }";
    const { body: batch } = await agent.graphql(query, { batchId: body.batch_id });
    expect(batch.data.agentCommandBatch).toEqual({
      total: 1,
      open: 1,
      counts: [{ status: "QUEUED", count: 1 }],
    });
  });

  it("issues a command to every agent of a selector, once per Idempotency-Key", async () => {
    const { agent, ctx } = await world.another();
    for (let index = 0; index < 3; index++) await insertTestAgent(ctx, "robot");
    const order = { selector: { kind: "robot" }, type: "robot.stop" };
    const first = await agent.post(COMMANDS, order, { "idempotency-key": "stop-all" });
    const again = await agent.post(COMMANDS, order, { "idempotency-key": "stop-all" });
    expect(first.body).toMatchObject({ agent_commands: { length: 3 }, has_more: false });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expectProblem(
      await agent.post(COMMANDS, { ...order, type: "robot.dock" }, { "idempotency-key": "stop-all" }),
      422,
      "idempotency_mismatch",
    );
  });

  it("rejects malformed input and names each field", async () => {
    const { agent, ctx } = await world.another();
    const agentId = await insertTestAgent(ctx);
    const order = { agent_id: agentId, type: "agent.restart" };
    expectFields(await agent.post(COMMANDS, {}), "type");
    expectFields(await agent.post(COMMANDS, { ...order, agent_id: "x" }), "agent_id");
    expectFields(await agent.post(COMMANDS, { ...order, params: [] }), "params");
    expectFields(await agent.post(COMMANDS, { ...order, priority: "high" }), "priority");
    expectFields(await agent.post(COMMANDS, { ...order, expires_in_s: 0 }), "expires_in_s");
    expectFields(await agent.post(COMMANDS, { type: "agent.restart", selector: {} }), "selector");
    expectProblem(await agent.post(COMMANDS, { ...order, type: "agent.explode" }), 422, "validation_failed");
    expectProblem(await agent.post(COMMANDS, "{"), 400, "invalid_body");
  });

  it("lets operators issue and cancel with a session, but not viewers", async () => {
    const { ctx, workspaceId } = await world.another();
    const agentId = await insertTestAgent(ctx);
    const browser = createTestClient(world.server.url);
    async function readHeaders(role: "operator" | "viewer") {
      const person = await createPerson(world.server, workspaceId, { role });
      return { cookie: buildCookie(await beginTestSession(world.server, person)), origin: world.server.url };
    }
    const [operator, viewer] = [await readHeaders("operator"), await readHeaders("viewer")];
    const order = { agent_id: agentId, type: "agent.restart" };
    expectProblem(await browser.post(COMMANDS, order, viewer), 403, "forbidden");
    const { body } = await browser.post(COMMANDS, order, operator);
    const [command] = body.agent_commands;
    expect(command.issued_by.type).toBe("user");
    const path = `${COMMANDS}/${command.id}/cancel`;
    expectProblem(await browser.post(path, {}, viewer), 403, "forbidden");
    expectProblem(
      await browser.post(path, {}, { ...operator, origin: "https://example.com" }),
      403,
      "forbidden",
    );
    const canceled = await browser.post(path, { reason: "not needed" }, operator);
    expect(canceled.body.agent_command).toMatchObject({ status: "canceled", status_detail: "not needed" });
  });
});

describe("POST /api/v1/operator/agent_commands/{id}/cancel", () => {
  it("cancels once, and only if If-Match matches", async () => {
    const { agent, ctx } = await world.another();
    const id = await createAgentCommand(ctx, await insertTestAgent(ctx));
    const path = `${COMMANDS}/${id}/cancel`;
    expectProblem(await agent.post(path, {}, { "if-match": '"7"' }), 412, "precondition_failed");
    const first = await agent.post(path, {}, { "if-match": '"1"' });
    expect(first.body.agent_command).toMatchObject({ status: "canceled", generation: 2 });
    expect((await agent.post(path)).body).toEqual(first.body);
    const ended = await createAgentCommand(ctx, await insertTestAgent(ctx), { status: "succeeded" });
    const refused = await agent.post(`${COMMANDS}/${ended}/cancel`);
    expectProblem(refused, 409, "invalid_state");
    expect(refused.body).toMatchObject({
      current_status: "succeeded",
      allowed: ["awaiting_approval", "queued", "delivered", "acknowledged", "running"],
    });
  });

  it.each([crypto.randomUUID(), "x"])("finds no command %s", async (id) => {
    expectProblem(await world.agent.post(`${COMMANDS}/${id}/cancel`), 404, "not_found");
    expectProblem(await world.agent.get(`/api/v1/agent_commands/${id}`), 404, "not_found");
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cancelAgentCommand } from "../../../src/domain/agent-commands/cancel-agent-command.ts";
import { BUILT_IN_COMMANDS } from "../../../src/domain/agent-commands/command-types.ts";
import { issueAgentCommands } from "../../../src/domain/agent-commands/issue-agent-commands.ts";
import { readAgentCommandBatch } from "../../../src/domain/agent-commands/read-agent-command-batch.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, getErrorDetails, userCtx } from "../../support/callers.ts";
import { NOW, after } from "../../support/command-scene.ts";
import { insertTestAgent, insertTestMission } from "../../support/factories.ts";
import { readEventTypes, lastAudit } from "../../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let operator: Ctx;
let agentId: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  const { ctx, workspaceId } = await world.another();
  operator = openCtx(world.server.services, userCtx(world.server, workspaceId, "operator"), NOW);
  agentId = await insertTestAgent(ctx);
});

async function createAgents(count: number, data: object = {}, kind: "software" | "robot" = "software") {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await insertTestAgent(operator, kind));
  await operator.db.agent.updateMany({ where: { id: { in: ids } }, data });
  return ids.toSorted();
}

describe("issueAgentCommands", () => {
  it("queues a command with the given fields and documented defaults", async () => {
    const { batchId, commands } = await issueAgentCommands(operator, {
      agentId,
      type: "custom.open_gripper",
      params: { width: 3 },
    });
    expect(commands).toMatchObject([
      {
        agentId,
        seq: 1n,
        type: "custom.open_gripper",
        params: { width: 3 },
        status: "queued",
        priority: "normal",
        expiresAt: after(3600),
        ackTimeoutSeconds: 30,
        runTimeoutSeconds: 600,
        deliveryAttempts: 0,
        batchId,
        issuedBy: { type: "user", name: "The operator" },
        generation: 1,
        createdAt: NOW,
      },
    ]);
    expect(await readEventTypes(world.server, commands[0]?.id ?? "")).toEqual(["agent_command.created"]);
    expect(await lastAudit(world.server, operator.workspaceId)).toMatchObject({
      action: "agent_command.issued",
      target_id: commands[0]?.id,
      changes: { type: "custom.open_gripper", agent_id: agentId, agents: 1 },
    });
  });

  it("numbers each agent's commands from 1 without gaps, also concurrently", async () => {
    const other = await insertTestAgent(operator);
    await Promise.all(
      Array.from({ length: 24 }, (_each, index) =>
        issueAgentCommands(operator, {
          agentId: index % 2 === 0 ? agentId : other,
          type: "agent.reload_config",
        }),
      ),
    );
    for (const id of [agentId, other]) {
      const rows = await operator.db.agentCommand.findMany({
        where: { agentId: id },
        orderBy: { seq: "asc" },
      });
      expect(rows.map(({ seq }) => Number(seq))).toEqual(
        Array.from({ length: 12 }, (_each, index) => index + 1),
      );
    }
  });

  it("accepts every built-in type, and custom ones", async () => {
    for (const type of [...BUILT_IN_COMMANDS, "custom.x", "custom.a.b-c_9"]) {
      expect((await issueAgentCommands(operator, { agentId, type })).commands[0]?.type).toBe(type);
    }
    for (const type of ["", "agent", "agent.explode", "custom.", "custom.X", `custom.${"x".repeat(100)}`]) {
      expect(await getErrorDetails(issueAgentCommands(operator, { agentId, type }))).toMatchObject({
        field: "type",
      });
    }
  });

  it.each([
    ["agentId", {}],
    ["agentId", { agentId: crypto.randomUUID() }],
    ["agentId", { agentId: "x" }],
    ["selector", { selector: {} }],
    ["selector", { selector: { labels: {} } }],
    ["selector", { selector: { labels: { team: "nobody" } } }],
    ["selector.kind", { selector: { kind: "plant" as "robot" } }],
    ["expiresInSeconds", { expiresInSeconds: 0 }],
    ["expiresInSeconds", { expiresInSeconds: 2_592_001 }],
    ["ackTimeoutSeconds", { ackTimeoutSeconds: 0 }],
    ["runTimeoutSeconds", { runTimeoutSeconds: 86_401 }],
    ["params", { params: { big: "x".repeat(65_536) } }],
    ["taskId", { taskId: crypto.randomUUID() }],
    ["missionId", { missionId: crypto.randomUUID() }],
  ])("rejects a wrong %s", async (field, wrong) => {
    const isAbsent = "selector" in wrong || Object.keys(wrong).length === 0;
    const input = { ...(!isAbsent && { agentId }), type: "agent.restart", ...wrong };
    expect(await getErrorDetails(issueAgentCommands(operator, input))).toMatchObject({ field });
    expect(await operator.db.agentCommand.count({ where: {} })).toBe(0);
  });

  it("rejects both an agent and a selector, an archived agent, and another workspace's mission", async () => {
    const both = { agentId, selector: { kind: "software" as const }, type: "agent.restart" };
    expect(await getErrorDetails(issueAgentCommands(operator, both))).toMatchObject({ field: "agentId" });
    const mission = await insertTestMission((await world.another()).ctx);
    const foreign = { agentId, type: "mission.start", missionId: mission };
    expect(await getErrorDetails(issueAgentCommands(operator, foreign))).toMatchObject({
      field: "missionId",
    });
    await operator.db.agent.updateMany({ where: { id: agentId }, data: { archivedAt: NOW } });
    const archived = issueAgentCommands(operator, { agentId, type: "agent.restart" });
    expect(await getErrorDetails(archived)).toMatchObject({ field: "agentId" });
  });

  it("rejects an actor without the scope, and doesn't audit an agent's commands", async () => {
    const own = { id: agentId, workspaceId: operator.workspaceId };
    const input = { agentId, type: "agent.restart" };
    const worker = agentCtx(world.server, own, { scopes: ["agent_commands:read", "agent_commands:ack"] });
    expect(await getErrorCode(issueAgentCommands(worker, input))).toBe("insufficient_scope");
    const viewer = userCtx(world.server, operator.workspaceId, "viewer");
    expect(await getErrorCode(issueAgentCommands(viewer, input))).toBe("forbidden");
    const before = await lastAudit(world.server, operator.workspaceId);
    const dispatcher = agentCtx(world.server, own, { scopes: ["agent_commands:write"] });
    expect((await issueAgentCommands(dispatcher, input)).commands).toHaveLength(1);
    expect(await lastAudit(world.server, operator.workspaceId)).toEqual(before);
  });

  it("creates commands once per Idempotency-Key", async () => {
    const requestHash = new Uint8Array(32).fill(1);
    const keyed = Object.assign(openCtx(world.server.services, operator), {
      idempotency: { key: "once", requestHash },
    });
    const input = { selector: { kind: "software" as const }, type: "agent.restart" };
    const first = await issueAgentCommands(keyed, input);
    const again = await issueAgentCommands(keyed, input);
    expect(again).toEqual(first);
    expect(await operator.db.agentCommand.count({ where: {} })).toBe(first.commands.length);
    keyed.idempotency = { key: "once", requestHash: new Uint8Array(32).fill(2) };
    expect(await getErrorCode(issueAgentCommands(keyed, input))).toBe("idempotency_mismatch");
  });

  it("returns at most about 4 MiB of commands for a repeated Idempotency-Key", async () => {
    await createAgents(18);
    const keyed = Object.assign(openCtx(world.server.services, operator), {
      idempotency: { key: "large", requestHash: new Uint8Array(32) },
    });
    const input = { selector: { kind: "software" as const }, type: "agent.restart" };
    const first = await issueAgentCommands(keyed, input);
    expect([first.commands.length, first.isCut]).toEqual([20, false]);
    const result = { text: "x".repeat(262_000) };
    await operator.db.agentCommand.updateMany({ where: { batchId: first.batchId }, data: { result } });
    const again = await issueAgentCommands(keyed, input);
    expect([again.batchId, again.isCut]).toEqual([first.batchId, true]);
    expect(again.commands.map(({ id }) => id)).toEqual(first.commands.slice(0, 17).map(({ id }) => id));
  });
});

describe("a selector", () => {
  it("selects every unarchived agent of a kind with all labels", async () => {
    const [berlin] = [await createAgents(2, { labels: { site: "berlin", team: "a" } }, "robot")];
    await createAgents(1, { labels: { site: "berlin" } }, "robot");
    await createAgents(1, { labels: { site: "berlin", team: "a" } }, "software");
    await createAgents(1, { labels: { site: "berlin", team: "a" }, archivedAt: NOW }, "robot");
    const selector = { kind: "robot", labels: { site: "berlin", team: "a" } } as const;
    const { batchId, commands } = await issueAgentCommands(operator, { selector, type: "robot.stop" });
    expect(commands.map((command) => command.agentId)).toEqual(berlin);
    expect(new Set(commands.map((command) => command.batchId))).toEqual(new Set([batchId]));
    expect(await lastAudit(world.server, operator.workspaceId)).toMatchObject({
      action: "agent_command.issued",
      target_id: batchId,
      changes: { type: "robot.stop", agents: 2 },
    });
    await cancelAgentCommand(operator, { id: commands[0]?.id ?? "" });
    expect(await readAgentCommandBatch(operator, batchId)).toEqual({
      batchId,
      total: 2,
      open: 1,
      counts: [
        { status: "queued", count: 1 },
        { status: "canceled", count: 1 },
      ],
    });
  });

  it("selects at most 500 agents, and stores at most 4 MiB of params for them", async () => {
    await world.server.database.query(
      `INSERT INTO agent (workspace_id, id, handle, name, labels)
       SELECT $1, gen_random_uuid(), 'fleet-' || n, 'One of many', '{"fleet": "x"}' FROM generate_series(1, 501) n`,
      [operator.workspaceId],
    );
    const order = { selector: { labels: { fleet: "x" } }, type: "agent.pause" };
    expect(await getErrorDetails(issueAgentCommands(operator, order))).toMatchObject({ field: "selector" });
    await operator.db.agent.updateMany({ where: { handle: "fleet-1" }, data: { labels: {} } });
    const long = { ...order, type: "custom.x", params: { text: "x".repeat(9000) } };
    expect(await getErrorDetails(issueAgentCommands(operator, long))).toMatchObject({ field: "params" });
    const { commands } = await issueAgentCommands(operator, order);
    expect(commands).toHaveLength(500);
    expect(commands.every(({ seq }) => seq === 1n)).toBe(true);
  });
});

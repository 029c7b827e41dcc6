import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { acknowledgeAgentCommand } from "../../../src/domain/agent-commands/acknowledge-agent-command.ts";
import { cancelAgentCommand } from "../../../src/domain/agent-commands/cancel-agent-command.ts";
import { nextAgentCommands } from "../../../src/domain/agent-commands/next-agent-commands.ts";
import { reportAgentCommandProgress } from "../../../src/domain/agent-commands/report-agent-command-progress.ts";
import { reportAgentCommandResult } from "../../../src/domain/agent-commands/report-agent-command-result.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type CommandScene, ERROR, NOW, commandIn, createCommandScene } from "../../support/command-scene.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { readEventTypes } from "../../support/person-ctx.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let scene: CommandScene;
let agent: Ctx;
let operator: Ctx;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createCommandScene(world);
  ({ agent, operator } = scene);
});

describe("a result", () => {
  it("is rejected if it differs from the first, and accepted if it is the same", async () => {
    const id = await commandIn(scene, "running");
    const report = { id, status: "succeeded", result: { a: 1, b: [1.5, null] } } as const;
    const first = await reportAgentCommandResult(agent, report);
    expect(first).toMatchObject({
      status: "succeeded",
      result: report.result,
      error: null,
      progress: 1,
      late: false,
    });
    expect(await reportAgentCommandResult(agent, { ...report, result: { b: [1.5, null], a: 1 } })).toEqual(
      first,
    );
    expect(await getErrorCode(reportAgentCommandResult(agent, { ...report, result: { a: 2 } }))).toBe(
      "invalid_state",
    );
    expect(await getErrorCode(reportAgentCommandResult(agent, { id, status: "failed", error: ERROR }))).toBe(
      "invalid_state",
    );
  });

  it("that comes late is stored once without changing the status", async () => {
    const id = await commandIn(scene, "timed_out");
    const late = await reportAgentCommandResult(agent, { id, status: "succeeded", result: 1 });
    expect(late).toMatchObject({ status: "timed_out", result: 1, late: true });
    expect((await readEventTypes(world.server, id)).at(-1)).toBe("agent_command.updated");
    expect(await reportAgentCommandResult(agent, { id, status: "succeeded", result: 1 })).toEqual(late);
    expect(await getErrorCode(reportAgentCommandResult(agent, { id, status: "succeeded", result: 2 }))).toBe(
      "invalid_state",
    );
  });

  it("has an error only if it is a failure", async () => {
    const id = await commandIn(scene, "running");
    expect(await getErrorCode(reportAgentCommandResult(agent, { id, status: "failed" }))).toBe(
      "validation_failed",
    );
    const excuse = { id, status: "succeeded", error: ERROR } as const;
    expect(await getErrorCode(reportAgentCommandResult(agent, excuse))).toBe("validation_failed");
  });
});

describe("progress", () => {
  it("writes an event when it begins, and later only changes the list's version", async () => {
    const id = await commandIn(scene, "acknowledged");
    await reportAgentCommandProgress(agent, { id, progress: 0.1 });
    const events = await readEventTypes(world.server, id);
    expect(events.at(-1)).toBe("agent_command.updated");
    const moved = await reportAgentCommandProgress(agent, { id, progress: 0.2, detail: "turning" });
    expect(moved).toMatchObject({ progress: 0.2, statusDetail: "turning", startedAt: NOW });
    expect(await readEventTypes(world.server, id)).toEqual(events);
    const [kept] = await world.server.database.query<{ ticks: string }>(
      "SELECT ticks FROM collection_total WHERE workspace_id = $1 AND collection = 'agent_commands' AND facet = 'all'",
      [operator.workspaceId],
    );
    expect(kept?.ticks).toBe("1");
  });
});

describe("permissions of commands", () => {
  it("allow only the command's own agent", async () => {
    const id = await commandIn(scene, "delivered");
    const other = await insertTestAgent(operator);
    const outsider = agentCtx(world.server, { id: other, workspaceId: operator.workspaceId });
    expect(await getErrorCode(acknowledgeAgentCommand(outsider, { id, outcome: "accepted" }))).toBe(
      "not_found",
    );
    expect(await getErrorCode(reportAgentCommandProgress(outsider, { id }))).toBe("not_found");
    expect(await getErrorCode(reportAgentCommandResult(outsider, { id, status: "succeeded" }))).toBe(
      "not_found",
    );
    expect(await nextAgentCommands(outsider, { redeliver: true })).toEqual([]);
  });

  it("rejects an actor without the scope", async () => {
    const id = await commandIn(scene, "delivered");
    const own = { id: scene.agentId, workspaceId: operator.workspaceId };
    const reader = agentCtx(world.server, own, { scopes: ["agent_commands:read"] });
    const answerer = agentCtx(world.server, own, { scopes: ["agent_commands:ack"] });
    const viewer = userCtx(world.server, operator.workspaceId, "viewer");
    const refused = await Promise.all([
      getErrorCode(acknowledgeAgentCommand(reader, { id, outcome: "accepted" })),
      getErrorCode(reportAgentCommandProgress(reader, { id })),
      getErrorCode(reportAgentCommandResult(reader, { id, status: "succeeded" })),
      getErrorCode(cancelAgentCommand(reader, { id })),
      getErrorCode(nextAgentCommands(answerer, {})),
      getErrorCode(cancelAgentCommand(viewer, { id })),
      getErrorCode(acknowledgeAgentCommand(operator, { id, outcome: "accepted" })),
      getErrorCode(nextAgentCommands(operator, {})),
    ]);
    expect(refused).toEqual([
      ...Array<string>(5).fill("insufficient_scope"),
      ...Array<string>(3).fill("forbidden"),
    ]);
  });
});

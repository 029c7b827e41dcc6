import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setAgentLabels } from "../../../src/domain/agents/set-agent-labels.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { createWorker } from "../../support/workers.ts";

describe("setAgentLabels", () => {
  let server: TestServer;
  let worker: Ctx & { agentId: string };
  let admin: Ctx;
  let operator: Ctx;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterAll(() => server.close());

  beforeEach(async () => {
    const { workspaceId } = await server.createWorkspace();
    worker = await createWorker(server, workspaceId);
    admin = userCtx(server, workspaceId, "admin");
    operator = userCtx(server, workspaceId, "operator");
  });

  async function readLog(table: "event" | "audit_event", of: string): Promise<object[]> {
    const columns = table === "event" ? "data AS told" : "changes AS told";
    const named = table === "event" ? "type" : "action";
    const rows: { told: object }[] = await server.database.query(
      `SELECT ${columns} FROM ${table} WHERE workspace_id = $1 AND ${named} = $2 ORDER BY seq`,
      [worker.workspaceId, of],
    );
    return rows.map(({ told }) => told);
  }

  const labels = { team: "billing" };

  it("replaces them, with an event and an audit event", async () => {
    const agent = await setAgentLabels(admin, { id: worker.agentId, labels });
    expect(agent).toMatchObject({ labels, generation: 2 });
    expect(await setAgentLabels(admin, { id: worker.agentId, labels })).toEqual(agent);
    expect((await setAgentLabels(admin, { id: worker.agentId, labels: {} })).labels).toEqual({});
    expect(await readLog("event", "agent.updated")).toMatchObject([
      { labels, generation: 2 },
      { labels: {}, generation: 3 },
    ]);
    expect(await readLog("audit_event", "agent.labels_changed")).toEqual([
      { labels: { from: {}, to: labels } },
      { labels: { from: labels, to: {} } },
    ]);
  });

  it.each([
    ["labels.a", { a: "x".repeat(65) }],
    ["labels", Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`l${index}`, ""]))],
  ])("rejects wrong %s", async (field, wrong) => {
    const input = { id: worker.agentId, labels: wrong };
    await expect(setAgentLabels(admin, input)).rejects.toMatchObject({ details: { field } });
  });

  it("requires an admin, and an agent that exists", async () => {
    const input = { id: worker.agentId, labels };
    for (const actor of [operator, worker]) {
      expect(await getErrorCode(setAgentLabels(actor, input))).toBe("forbidden");
    }
    const unknown = { id: crypto.randomUUID(), labels };
    expect(await getErrorCode(setAgentLabels(admin, unknown))).toBe("not_found");
  });
});

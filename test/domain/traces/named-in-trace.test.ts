import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAgentCommands } from "../../../src/domain/agent-commands/list-agent-commands.ts";
import { listDecisions } from "../../../src/domain/decisions/list-decisions.ts";
import { toTraceparent } from "../../../src/domain/kernel/server-span.ts";
import { sweepQueuedSpans } from "../../../src/domain/traces/sweep-queued-spans.ts";
import { createSpan, newTraceId, textAttribute } from "../../support/otlp.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { type TestClient, createTestClient } from "../../support/test-client.ts";
import { sendSpans } from "../../support/trace-scene.ts";
import { agentCtx } from "../../support/agent-ctx.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

type Tenant = { client: TestClient; workspaceId: string; agentId: string };

async function createTenant(): Promise<Tenant> {
  const { workspaceId, apiKey } = await server.createWorkspace();
  const client = createTestClient(server.url, apiKey);
  const agentId = (await client.get("/api/v1/whoami")).body.actor.id;
  return { client, workspaceId, agentId };
}

/** Issues a command and asks for a decision within a trace. @returns their ids. */
async function work({ client, workspaceId, agentId }: Tenant, traceId: string) {
  const headers = { traceparent: toTraceparent({ traceId, spanId: "00f067aa0ba902b7" }) };
  const command = { agent_id: agentId, type: "custom.refund" };
  const issued = await client.post("/api/v1/operator/agent_commands", command, headers);
  const request = { action: { name: "tools/call" }, resource: { type: "tool", id: "shell.run" } };
  const checked = await client.post("/api/v1/gateway/check", { request }, headers);
  const services = { ...server.services };
  await sweepQueuedSpans(services, null);
  return { workspaceId, command: issued.body, decision: checked.body.check.id };
}

describe("commands and decisions of a trace", () => {
  it("are those that the service's own spans in it tell, in its workspace", async () => {
    const [own, other] = [await createTenant(), await createTenant()];
    const traceId = newTraceId();
    const made = await work(own, traceId);
    const theirs = await work(other, traceId);
    await work(own, newTraceId());
    // What a sender's span says of itself counts for nothing.
    const forged = [textAttribute("aos.decision_id", theirs.decision)];
    const ids = { id: own.agentId, workspaceId: own.workspaceId };
    await sendSpans(agentCtx(server, ids), [createSpan({ traceId, attributes: forged })]);
    const ctx = server.systemCtx(own.workspaceId);
    const decisions = await listDecisions(ctx, {}, { traceId });
    expect(decisions.nodes.map(({ id }) => id)).toEqual([made.decision]);
    const commands = await listAgentCommands(ctx, {}, { traceId });
    expect(commands.nodes).toHaveLength(1);
    expect(JSON.stringify(made.command)).toContain(commands.nodes[0]?.id ?? "none");
  });

  it("are none of a trace that doesn't exist", async () => {
    const { workspaceId } = await createTenant();
    const filter = { traceId: newTraceId() };
    const ctx = server.systemCtx(workspaceId);
    expect((await listDecisions(ctx, {}, filter)).nodes).toEqual([]);
    expect((await listAgentCommands(ctx, {}, filter)).nodes).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetrics } from "../support/read-metrics.ts";
import { createTestClient } from "../support/test-client.ts";
import { type TestServer, startOn, startTestServer } from "../support/server.ts";
import { agentSocket, nextFrame, openSocket, subscribe } from "../support/socket-client.ts";

let server: TestServer;
let second: TestServer;

beforeAll(async () => {
  server = await startTestServer({ METRICS_PORT: "0" });
  second = await startOn(server.database, { METRICS_PORT: "0" });
});

afterAll(async () => {
  await second.stop();
  await server.close();
});

function ask({ metricsPort }: TestServer, path = "/metrics", method = "GET"): Promise<Response> {
  return fetch(`http://127.0.0.1:${metricsPort ?? 0}${path}`, { method });
}

/** The second node's metrics of notifications, with its listening connection cut first if it shouldn't receive any. */
async function isHeard(mayHear: boolean): Promise<number | undefined> {
  if (!mayHear) {
    await server.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name = 'agent-ops-listen'`,
    );
  }
  return (await readMetrics(second))["agent_ops_notifications_listening"];
}

describe("a node's metrics", () => {
  it("count sockets, deliveries and closings", async () => {
    const { apiKey } = await server.createWorkspace();
    const subscriber = await agentSocket(second.url, apiKey);
    subscribe(subscriber, "1");
    await nextFrame(subscriber);
    // The first may be delivered while the subscriber catches up; the second is live.
    for (const title of ["First", "Counted"]) {
      await createTestClient(server.url, apiKey).post("/api/v1/tasks", { title });
      await nextFrame(subscriber);
    }
    await expect
      .poll(() => readMetrics(second))
      .toMatchObject({
        'agent_ops_sockets{principal="agent"}': 1,
        agent_ops_live_subscriptions: 1,
        agent_ops_live_workspaces: 1,
        agent_ops_revocations_trusted: 1,
        agent_ops_event_holes_total: 0,
      });
    const values = await readMetrics(second);
    expect(values["agent_ops_events_pulled_total"]).toBeGreaterThan(0);
    expect(values["agent_ops_event_lag_seconds_count"]).toBe(values["agent_ops_events_pulled_total"]);
    expect(values["agent_ops_events_delivered_total"]).toBeGreaterThan(0);
    expect(values['agent_ops_notifications_total{outcome="received"}']).toBeGreaterThan(0);
    expect(values["nodejs_eventloop_lag_p99_seconds"]).toBeDefined();
    subscriber.socket.close(1000);
    await expect
      .poll(() => readMetrics(second))
      .toMatchObject({
        'agent_ops_sockets_closed_total{code="1000"}': 1,
        'agent_ops_sockets{principal="agent"}': 0,
      });
  });

  it("measure the delay of revocations, and whether notifications arrive", async () => {
    const { apiKey } = await server.createWorkspace();
    const before = (await readMetrics(second))["agent_ops_revocation_lag_seconds_count"] ?? 0;
    const client = createTestClient(server.url, apiKey);
    const { id } = (await client.post("/api/v1/agent_tokens")).body;
    expect((await client.delete(`/api/v1/agent_tokens/${String(id)}`)).status).toBe(204);
    await expect
      .poll(async () => (await readMetrics(second))["agent_ops_revocation_lag_seconds_count"])
      .toBe(before + 1);
    await expect.poll(() => isHeard(true)).toBe(1);
    await expect.poll(() => isHeard(false)).toBe(0);
    await expect.poll(() => isHeard(true)).toBe(1);
  });

  it("group close codes invented by clients", async () => {
    for (const code of [3999, 4999]) (await openSocket(server.url)).socket.close(code);
    await expect
      .poll(() => readMetrics(server))
      .toMatchObject({ 'agent_ops_sockets_closed_total{code="other"}': 2 });
  });

  it("are served only on their own port, which serves nothing else", async () => {
    expect((await ask(server)).headers.get("content-type")).toContain("text/plain; version=0.0.4");
    expect((await ask(server, "/api/v1/tasks")).status).toBe(404);
    expect((await ask(server, "/metrics", "POST")).status).toBe(404);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  });

  it("contain no workspace, user or credential", async () => {
    const { workspaceId, apiKey } = await server.createWorkspace("Secret name");
    await createTestClient(server.url, apiKey).post("/api/v1/tasks", { title: "Counted" });
    const text = await (await ask(server)).text();
    for (const secret of [workspaceId, apiKey, "Secret name"]) expect(text).not.toContain(secret);
  });
});

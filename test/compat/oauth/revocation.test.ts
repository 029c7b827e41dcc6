import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deleteWorkloadTrust } from "../../../src/auth/workloads/delete-workload-trust.ts";
import { updateWorkloadTrust } from "../../../src/auth/workloads/update-workload-trust.ts";
import { suspendWorkspace } from "../../../src/domain/workspaces/suspend-workspace.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../../src/domain/stops/release-stop.ts";
import { userCtx } from "../../support/callers.ts";
import { startOn, type TestServer } from "../../support/server.ts";
import { agentSocket } from "../../support/socket-client.ts";
import { createTestClient } from "../../support/test-client.ts";
import { type TestIssuer, startIssuer } from "../../support/test-issuer.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";
import { exchangeAt, trust } from "../../support/workload-scene.ts";

const ENVIRONMENT = { OUTBOUND_ALLOW: "127.0.0.0/8" };

let world: TestWorld;
let second: TestServer;
let issuer: TestIssuer;

beforeAll(async () => {
  world = await createWorld(ENVIRONMENT);
  second = await startOn(world.server.database, ENVIRONMENT);
  issuer = await startIssuer();
});

afterAll(async () => {
  await issuer.close();
  await second.stop();
  await world.server.close();
});

describe("a workload's access token on another node", () => {
  it.each([
    ["its trust is deleted", deleteWorkloadTrust, { code: 4401, reason: "credential_revoked" }],
    [
      "its trust is disabled",
      async (ctx: TestWorld["ctx"], id: string) => updateWorkloadTrust(ctx, id, { enabled: false }),
      { code: 4401, reason: "credential_revoked" },
    ],
  ] as const)("ends with its socket when %s", async (_what, end, closing) => {
    const { id } = await trust(world.ctx, { issuer: issuer.url });
    const { body } = await exchangeAt(second.url)(id, await issuer.sign());
    const workload = createTestClient(second.url, body.access_token);
    expect((await workload.get("/api/v1/whoami")).status).toBe(200);
    const socket = await agentSocket(second.url, body.access_token);
    const endedAtMs = performance.now();
    await end(world.ctx, id);
    expect(await socket.closed).toEqual(closing);
    expect(performance.now() - endedAtMs).toBeLessThan(2000);
    expect((await workload.get("/api/v1/whoami")).status).toBe(401);
    expect((await workload.post("/api/v1/socket_tokens")).status).toBe(401);
  });

  it("keeps on when only the name of its trust changes", async () => {
    const { id } = await trust(world.ctx, { issuer: issuer.url });
    const { body } = await exchangeAt(second.url)(id, await issuer.sign());
    await updateWorkloadTrust(world.ctx, id, { name: "Another" });
    const workload = createTestClient(second.url, body.access_token);
    expect((await workload.get("/api/v1/whoami")).status).toBe(200);
    expect((await workload.delete("/api/v1/agent_tokens/current")).status).toBe(204);
    expect((await workload.get("/api/v1/whoami")).status).toBe(401);
  });

  it("is introspected, and refused while its workspace is suspended", async () => {
    const other = await world.another();
    const { id } = await trust(other.ctx, { issuer: issuer.url });
    const { body } = await exchangeAt(second.url)(id, await issuer.sign());
    const told = await other.agent.post("/api/v1/tokens/introspect", { token: body.access_token });
    expect(told.body).toMatchObject({ active: true, token_type: "agent_token" });
    const elsewhere = await world.agent.post("/api/v1/tokens/introspect", { token: body.access_token });
    expect(elsewhere.body).toEqual({ active: false });
    await suspendWorkspace(other.ctx);
    const workload = createTestClient(second.url, body.access_token);
    expect((await workload.get("/api/v1/whoami")).status).toBe(403);
    expect((await exchangeAt(second.url)(id, await issuer.sign())).body.error).toBe("invalid_grant");
  });
});

describe("an emergency stop", () => {
  it("keeps workloads from getting tokens until it is released, and uses none up", async () => {
    const other = await world.another();
    const { id } = await trust(other.ctx, { issuer: issuer.url });
    const operator = userCtx(world.server, other.workspaceId, "operator");
    await emergencyStop(operator, { reason: "A test" });
    const token = await issuer.sign();
    const refused = await exchangeAt(second.url)(id, token);
    expect([refused.status, refused.body.error]).toEqual([400, "invalid_grant"]);
    expect(refused.body.error_description).toContain("is stopped");
    await releaseEmergencyStop(userCtx(world.server, other.workspaceId, "admin"), { reason: "It is over" });
    expect((await exchangeAt(second.url)(id, token)).status).toBe(200);
  });
});

describe("an issuer that is down", () => {
  it("is a temporary error", async () => {
    const down = await startIssuer();
    const { id } = await trust(world.ctx, { issuer: down.url });
    const token = await down.sign();
    await down.close();
    const answer = await exchangeAt(world.server.url)(id, token);
    expect([answer.status, answer.body.error]).toEqual([503, "temporarily_unavailable"]);
    expect(answer.headers.get("retry-after")).toBe("5");
  });
});

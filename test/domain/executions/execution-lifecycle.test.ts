import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { archiveAgent } from "../../../src/domain/agents/archive-agent.ts";
import { completeExecution } from "../../../src/domain/executions/complete-execution.ts";
import { failExecution } from "../../../src/domain/executions/fail-execution.ts";
import { heartbeatExecution } from "../../../src/domain/executions/heartbeat-execution.ts";
import { listExecutions } from "../../../src/domain/executions/list-executions.ts";
import { readExecution } from "../../../src/domain/executions/read-execution.ts";
import { redeemApproval } from "../../../src/domain/executions/redeem-approval.ts";
import { resolveExecution } from "../../../src/domain/executions/resolve-execution.ts";
import { sweepExecutions } from "../../../src/domain/executions/sweep-executions.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { createPolicy } from "../../../src/domain/policies/create-policy.ts";
import { emergencyStop } from "../../../src/domain/stops/emergency-stop.ts";
import type { Execution } from "../../../src/db/generated/client.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { ALLOW, createGatewayScene, refund } from "../../support/gateway-scene.ts";
import { lastAudit, personCtx, readEventTypes } from "../../support/person-ctx.ts";
import { insertTestApproval } from "../../support/test-approvals.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

const REQUEST = JSON.stringify(refund());

let world: TestWorld;
let ctx: Ctx;
let agent: Ctx;
let agentId: string;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  ({ ctx, agentId } = await createGatewayScene(world));
  agent = agentCtx(world.server, { id: agentId, workspaceId: ctx.workspaceId });
  await createPolicy(ctx, ALLOW);
});

function operator(role: "operator" | "admin" | "viewer" = "operator"): Ctx {
  return personCtx(world.server, { id: crypto.randomUUID(), workspaceId: ctx.workspaceId }, { role });
}

async function start(): Promise<{ id: string; fence: number }> {
  const approvalId = await insertTestApproval(ctx, refund(), { agentId, policies: [] });
  const { id, fence } = await redeemApproval(agent, { approvalId, requestText: REQUEST });
  return { id, fence: Number(fence) };
}

async function read(id: string): Promise<Execution> {
  return readExecution(ctx, { id });
}

/** Lets the lease of every execution end, and sweeps. */
async function sweepLater(): Promise<number> {
  const [row] = await world.server.database.query<{ at: Date }>(
    "SELECT max(lease_expires_at) AS at FROM execution",
  );
  return sweepExecutions(world.server.services, new Date((row?.at.getTime() ?? 0) + 1));
}

describe("an execution", () => {
  it("is completed once by its agent: the same call again returns it, another outcome is refused", async () => {
    const call = await start();
    const result = { refund: "re_3Q", amounts: [1e2, 0.1], api_key: "secret" };
    const done = await completeExecution(agent, { ...call, result });
    expect(done).toMatchObject({
      ...{ status: "completed", generation: 2, result: { ...result, api_key: "[redacted]" } },
      endedAt: expect.any(Date),
    });
    expect(await completeExecution(agent, { ...call, result })).toMatchObject({
      ...{ generation: 2, updatedAt: done.updatedAt },
    });
    const invalid = { code: "invalid_state", details: { currentStatus: "completed" } };
    await expect(completeExecution(agent, { ...call, result: {} })).rejects.toMatchObject(invalid);
    const failure = { ...call, error: { message: "x" }, effect: "none" } as const;
    await expect(failExecution(agent, failure)).rejects.toMatchObject(invalid);
    await expect(heartbeatExecution(agent, call)).rejects.toMatchObject(invalid);
    expect(await readEventTypes(world.server, call.id)).toEqual(["execution.started", "execution.finished"]);
  });

  it("fails with what was done, and is unknown if its agent doesn't know", async () => {
    const [one, two] = [await start(), await start()];
    const failure = { ...one, error: { code: "card_expired", message: "No." }, effect: "partial" } as const;
    const failed = await failExecution(agent, failure);
    expect(failed).toMatchObject({ status: "failed", effect: "partial", error: failure.error });
    expect(await failExecution(agent, failure)).toMatchObject({ generation: 2, updatedAt: failed.updatedAt });
    const unsure = { ...two, error: { message: "timeout" }, effect: "unknown" } as const;
    expect(await failExecution(agent, unsure)).toMatchObject({ status: "unknown", effect: "unknown" });
    expect(await failExecution(agent, unsure)).toMatchObject({ status: "unknown", generation: 2 });
    expect(await readEventTypes(world.server, two.id)).toEqual(["execution.started", "execution.unknown"]);
  });

  it("keeps no secret of its error", async () => {
    const call = await start();
    const error = { code: `sk-${"a".repeat(24)}`, message: "curl -u ada:hunter2 failed" };
    const failed = await failExecution(agent, { ...call, error, effect: "none" });
    expect(failed.error).toEqual({ code: "[redacted]", message: "curl -u ada:[redacted] failed" });
  });

  it("is only its agent's, with its fence", async () => {
    const call = await start();
    const lost = { code: "lease_lost" };
    await expect(completeExecution(agent, { ...call, fence: call.fence + 1 })).rejects.toMatchObject(lost);
    await expect(heartbeatExecution(agent, { ...call, fence: call.fence - 1 })).rejects.toMatchObject(lost);
    const otherId = await insertTestAgent(ctx);
    const other = agentCtx(world.server, { id: otherId, workspaceId: ctx.workspaceId });
    const hidden = { code: "not_found" };
    await expect(completeExecution(other, call)).rejects.toMatchObject(hidden);
    await expect(heartbeatExecution(other, call)).rejects.toMatchObject(hidden);
    const checker = { id: otherId, workspaceId: ctx.workspaceId };
    const limited = agentCtx(world.server, checker, { scopes: ["gateway:check"] });
    await expect(readExecution(limited, { id: call.id })).rejects.toMatchObject(hidden);
    expect(await listExecutions(limited, {})).toMatchObject({ nodes: [], total: 0 });
    await expect(listExecutions(limited, {}, { agentId })).rejects.toMatchObject({
      code: "validation_failed",
    });
    const none = agentCtx(world.server, checker, { scopes: [] });
    for (const act of [completeExecution, heartbeatExecution, readExecution]) {
      await expect(act(none, call)).rejects.toMatchObject({ code: "insufficient_scope" });
    }
    await expect(listExecutions(none, {})).rejects.toMatchObject({ code: "insufficient_scope" });
  });

  it("is refused a result of more than 64 KiB, and a fence that is no whole number", async () => {
    const call = await start();
    const refused = { code: "validation_failed" };
    const result = "x".repeat(65_536);
    await expect(completeExecution(agent, { ...call, result })).rejects.toMatchObject(refused);
    await expect(completeExecution(agent, { ...call, fence: 1.5 })).rejects.toMatchObject(refused);
    await expect(heartbeatExecution(agent, { ...call, fence: 1e300 })).rejects.toMatchObject(refused);
  });

  it("is unknown once its lease is over, which a heartbeat puts off, also during a stop", async () => {
    const call = await start();
    const { leaseExpiresAt } = await read(call.id);
    await sweepExecutions(world.server.services, new Date(leaseExpiresAt.getTime() - 1));
    expect(await read(call.id)).toMatchObject({ status: "started" });
    await emergencyStop(ctx, { reason: "fire" });
    const later = new Date(leaseExpiresAt.getTime() - 1);
    const there = agentCtx(world.server, { id: agentId, workspaceId: ctx.workspaceId }, { now: later });
    expect(await heartbeatExecution(there, call)).toEqual({
      leaseExpiresAt: new Date(later.getTime() + 120_000),
      controlState: "stopped",
    });
    await sweepExecutions(world.server.services, new Date(leaseExpiresAt.getTime() + 1));
    expect(await read(call.id)).toMatchObject({ status: "started" });
    expect(await sweepLater()).toBeGreaterThan(0);
    expect(await read(call.id)).toMatchObject({ status: "unknown", effect: null, error: null });
    await expect(completeExecution(agent, call)).rejects.toMatchObject({ code: "invalid_state" });
    const totals = await ctx.db.collectionTotal.findMany({
      where: { collection: "executions", total: { gt: 0 } },
    });
    expect(Object.fromEntries(totals.map(({ facet, total }) => [facet, total]))).toEqual({
      all: 1,
      unknown: 1,
    });
  });

  it("can't be completed after its lease, before the sweep either", async () => {
    const call = await start();
    const { leaseExpiresAt } = await read(call.id);
    const late = agentCtx(
      world.server,
      { id: agentId, workspaceId: ctx.workspaceId },
      { now: leaseExpiresAt },
    );
    await expect(completeExecution(late, call)).rejects.toMatchObject({ code: "lease_lost" });
    await expect(heartbeatExecution(late, call)).rejects.toMatchObject({ code: "lease_lost" });
  });

  it("runs out after its agent was archived", async () => {
    const call = await start();
    await archiveAgent(ctx, agentId);
    expect(await sweepLater()).toBeGreaterThan(0);
    expect(await read(call.id)).toMatchObject({ status: "unknown" });
  });
});

describe("resolveExecution", () => {
  async function startUnknown() {
    const call = await start();
    const effect = "unknown" as const;
    await failExecution(agent, { ...call, error: { message: "timeout" }, effect });
    return call;
  }

  it("has a person say how it ended, with a reason, audited with the hash", async () => {
    const { id } = await startUnknown();
    const person = operator();
    const { execution, retry } = await resolveExecution(person, {
      ...{ id, outcome: "completed", reason: "The bank shows it." },
    });
    expect({ execution, retry }).toMatchObject({
      execution: { status: "completed", resolvedReason: "The bank shows it.", resolvedBy: { type: "user" } },
      retry: null,
    });
    expect(await lastAudit(world.server, ctx.workspaceId)).toEqual({
      ...{ action: "execution.resolved", target_id: id },
      changes: {
        ...{ status: { from: "unknown", to: "completed" }, reason: "The bank shows it.", retry_id: null },
        request_hash: Buffer.from(execution.requestHash).toString("hex"),
      },
    });
    const again = { id, outcome: "failed", reason: "No." } as const;
    await expect(resolveExecution(person, again)).rejects.toMatchObject({ code: "invalid_state" });
    expect((await readEventTypes(world.server, id)).at(-1)).toBe("execution.resolved");
  });

  it("is for operators, and for what has ended without a known outcome", async () => {
    const { id } = await startUnknown();
    const reason = "x";
    for (const actor of [agent, operator("viewer")]) {
      const resolving = resolveExecution(actor, { id, outcome: "completed", reason });
      await expect(resolving).rejects.toMatchObject({ code: "forbidden" });
    }
    const running = await start();
    for (const outcome of ["completed", "retried"] as const) {
      const resolving = resolveExecution(operator(), { id: running.id, outcome, reason });
      await expect(resolving).rejects.toMatchObject({ code: "invalid_state" });
      const unknown = resolveExecution(operator(), { id: crypto.randomUUID(), outcome, reason });
      await expect(unknown).rejects.toMatchObject({ code: "not_found" });
    }
  });
});

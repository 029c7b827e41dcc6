import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { revokeAgentToken } from "../../src/auth/agent-tokens/revoke-agent-token.ts";
import { emergencyStop } from "../../src/domain/stops/emergency-stop.ts";
import { releaseEmergencyStop } from "../../src/domain/stops/release-stop.ts";
import { setAgentControlState } from "../../src/domain/agents/set-agent-control-state.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { append } from "../../src/domain/kernel/events.ts";
import { sweepDeadlines } from "../../src/domain/sweeps/sweep-deadlines.ts";
import { createTask } from "../../src/domain/tasks/create-task.ts";
import { checkAuditChain } from "../support/audit-chain.ts";
import { getErrorCode, userCtx } from "../support/callers.ts";
import { insertTestAgent } from "../support/factories.ts";
import { createCredentials } from "../support/test-credentials.ts";
import { type HeldLock, holdLock } from "../support/locked-table.ts";
import { type QuietServices, openQuietServices } from "../support/quiet-services.ts";
import { type TestServer, startOn } from "../support/server.ts";

// In the first node, sweeps run only if a test runs them, so deferred appends stay.
let quiet: QuietServices;
let server: TestServer;

beforeAll(async () => {
  quiet = await openQuietServices();
});

afterAll(() => quiet.close());

function holdHead({ workspaceId }: Ctx): Promise<HeldLock> {
  const statement = "SELECT 1 FROM workspace_head WHERE workspace_id = $1 FOR UPDATE";
  return holdLock(quiet.database, statement, [workspaceId]);
}

async function readTypes({ workspaceId }: Ctx, like: string): Promise<string[]> {
  const rows = await quiet.database.query<{ type: string }>(
    "SELECT type FROM event WHERE workspace_id = $1 AND type LIKE $2 ORDER BY seq",
    [workspaceId, like],
  );
  return rows.map(({ type }) => type);
}

async function isStoppedNow(workspaceId: string): Promise<boolean> {
  const stops = await quiet.database.query(
    "SELECT 1 FROM stop WHERE workspace_id = $1 AND released_at IS NULL",
    [workspaceId],
  );
  return stops.length > 0;
}

async function countDeferred(): Promise<number> {
  return (await quiet.database.query("SELECT 1 FROM deferred_append")).length;
}

async function revokedIn(ctx: Ctx): Promise<{ subject_id: string }[]> {
  return quiet.database.query("SELECT subject_id FROM revocation WHERE workspace_id = $1", [ctx.workspaceId]);
}

/** Starts a node with sweeps, until all deferred appends are written. */
async function untilWritten(): Promise<void> {
  server = await startOn(quiet.database);
  await expect.poll(countDeferred).toBe(0);
  await server.stop();
}

describe("while a workspace's head is locked", () => {
  it("a revocation commits, and its event and audit event follow once from any node", async () => {
    server = await startOn(quiet.database);
    const credentials = await createCredentials({ ...server, database: quiet.database });
    const { tokenId, ctx: itsCtx } = credentials;
    await server.stop();
    const ctx = quiet.systemCtx(itsCtx.workspaceId);
    const head = await holdHead(ctx);
    await revokeAgentToken(ctx, tokenId);
    expect(await revokedIn(ctx)).toEqual([{ subject_id: tokenId }]);
    const token = await ctx.db.agentToken.findFirstOrThrow({ where: { id: tokenId } });
    expect(token.revokedAt).not.toBeNull();
    expect(await readTypes(ctx, "agent_token.revoked")).toEqual([]);
    // A sweep that can't lock the head either changes nothing.
    await sweepDeadlines(quiet.services);
    expect(await countDeferred()).toBe(1);
    await head.release();
    await untilWritten();
    expect(await readTypes(ctx, "agent_token.revoked")).toEqual(["agent_token.revoked"]);
    const [event] = await quiet.database.query<{ late: number; audits: number }>(
      `SELECT abs(EXTRACT(EPOCH FROM e.occurred_at - t.revoked_at))::float8 AS late,
         (SELECT count(*)::int FROM audit_event a WHERE a.workspace_id = e.workspace_id AND a.action = e.type) AS audits
       FROM event e JOIN agent_token t ON t.id = e.subject_id WHERE e.type = 'agent_token.revoked'`,
    );
    expect(event?.audits).toBe(1);
    // It has the time at which it happened, not that at which it was written.
    expect(event?.late).toBeLessThan(2);
    expect((await checkAuditChain(quiet.database, ctx.workspaceId)).brokenAt).toBeNull();
  });

  it("an emergency stop commits, and its totals and events follow", async () => {
    const { workspaceId } = await quiet.createWorkspace();
    const ctx = quiet.systemCtx(workspaceId);
    await insertTestAgent(ctx);
    const head = await holdHead(ctx);
    const { stop } = await emergencyStop(userCtx(quiet, workspaceId, "operator"), { reason: "x" });
    expect(await isStoppedNow(workspaceId)).toBe(true);
    expect(stop.releasedAt).toBeNull();
    expect(await readTypes(ctx, "workspace.%")).not.toContain("workspace.emergency_stopped");
    await head.release();
    await untilWritten();
    expect(await readTypes(ctx, "workspace.emergency%")).toEqual(["workspace.emergency_stopped"]);
    const [count] = await quiet.database.query<{ told: number; made: number }>(
      `SELECT (SELECT total FROM collection_total WHERE workspace_id = $1 AND collection = 'agent_commands'
                 AND facet = 'all')::int AS told,
         (SELECT count(*)::int FROM agent_command WHERE workspace_id = $1) AS made`,
      [workspaceId],
    );
    expect(count?.told).toBe(count?.made);
  });

  it("later events are written after deferred ones", async () => {
    const { workspaceId } = await quiet.createWorkspace();
    const ctx = quiet.systemCtx(workspaceId);
    const head = await holdHead(ctx);
    await emergencyStop(userCtx(quiet, workspaceId, "operator"), { reason: "x" });
    await head.release();
    await releaseEmergencyStop(userCtx(quiet, workspaceId, "admin"), { reason: "y" });
    expect(await countDeferred()).toBe(0);
    expect(await readTypes(ctx, "workspace.emergency%")).toEqual([
      "workspace.emergency_stopped",
      "workspace.emergency_stop_released",
    ]);
    const { brokenAt } = await checkAuditChain(quiet.database, workspaceId);
    expect(brokenAt).toBeNull();
  });

  it("a write without an event comes after deferred ones too", async () => {
    const { workspaceId } = await quiet.createWorkspace();
    const ctx = quiet.systemCtx(workspaceId);
    const head = await holdHead(ctx);
    await emergencyStop(userCtx(quiet, workspaceId, "operator"), { reason: "x" });
    await head.release();
    const target = { targetType: "user", targetId: workspaceId };
    await ctx.transaction(async (tx) =>
      append(tx, { events: [], audit: [{ action: "invitation.link_shown", ...target }] }),
    );
    expect(await countDeferred()).toBe(0);
    const rows = await quiet.database.query<{ action: string }>(
      "SELECT action FROM audit_event WHERE workspace_id = $1 ORDER BY seq DESC LIMIT 2",
      [workspaceId],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      "invitation.link_shown",
      "workspace.emergency_stopped",
    ]);
    expect((await checkAuditChain(quiet.database, workspaceId)).brokenAt).toBeNull();
  });

  it("an append that always fails blocks nothing else", async () => {
    const { workspaceId } = await quiet.createWorkspace();
    const ctx = quiet.systemCtx(workspaceId);
    const content = { events: '[{"type":null}]', actor: "{}", traceparent: null, totals: "[]", audit: null };
    await quiet.database.query(
      "INSERT INTO deferred_append (workspace_id, id, content, created_at) VALUES ($1, gen_random_uuid(), $2, now())",
      [workspaceId, JSON.stringify(content)],
    );
    await createTask(ctx, { title: "Goes on" });
    expect(await readTypes(ctx, "task.%")).toEqual(["task.created"]);
    await quiet.database.query("DELETE FROM deferred_append", []);
  });

  it("deferred appends are written in order, from any node", async () => {
    const { workspaceId } = await quiet.createWorkspace();
    const ctx = quiet.systemCtx(workspaceId);
    const id = await insertTestAgent(ctx);
    const operator = userCtx(quiet, workspaceId, "operator");
    const head = await holdHead(ctx);
    await setAgentControlState(operator, { id, controlState: "stopped" });
    await emergencyStop(operator, { reason: "x" });
    await head.release();
    const first =
      "SELECT 1 FROM deferred_append WHERE id = (SELECT id FROM deferred_append ORDER BY created_at LIMIT 1) FOR UPDATE";
    const other = await holdLock(quiet.database, first, []);
    await sweepDeadlines(quiet.services);
    expect(await countDeferred()).toBe(3);
    await other.release();
    await sweepDeadlines(quiet.services);
    const stops = (await readTypes(ctx, "%_st%")).filter((type) => !type.includes("command"));
    expect(stops).toEqual(["agent.control_state_changed", "stop.started", "workspace.emergency_stopped"]);
  });

  it("other writes wait for them without holding locks", async () => {
    const { workspaceId } = await quiet.createWorkspace();
    const ctx = quiet.systemCtx(workspaceId);
    const head = await holdHead(ctx);
    const written = createTask(ctx, { title: "Waits" });
    await head.waiters(1);
    await head.release();
    expect((await written).title).toBe("Waits");
    expect(await getErrorCode(createTask(ctx, { title: "" }))).toBe("validation_failed");
    expect(await readTypes(ctx, "task.created")).toEqual(["task.created"]);
  });
});

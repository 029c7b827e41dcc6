import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { type EventInput, append } from "../../../src/domain/kernel/events.ts";
import { readPage } from "../../../src/domain/kernel/page.ts";
import { TABLES } from "../../../src/db/columns.ts";
import { suspendWorkspace } from "../../../src/domain/workspaces/suspend-workspace.ts";
import { checkAuditChain } from "../../support/audit-chain.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";
import { runs } from "../../support/property-runs.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

async function freshWorkspace(): Promise<Ctx> {
  const { workspaceId } = await server.createWorkspace();
  return server.systemCtx(workspaceId);
}

function anEvent(type = "thing.happened"): EventInput {
  return { type, subjectType: "thing", subjectId: crypto.randomUUID() };
}

async function readSeqs({ workspaceId }: Ctx, after = 0): Promise<number[]> {
  const rows = await server.database.query<{ seq: string }>(
    "SELECT seq FROM event WHERE workspace_id = $1 AND seq > $2 ORDER BY seq",
    [workspaceId, after],
  );
  return rows.map(({ seq }) => Number(seq));
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Runs work in this many concurrent writers. */
async function atOnce(writers: number, work: (writer: number) => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: writers }, (_, writer) => work(writer)));
}

describe("append", () => {
  it("numbers events without gaps in the order of commits under 16 concurrent writers", async () => {
    const ctx = await freshWorkspace();
    const before = (await readSeqs(ctx)).length;
    const perWriter = 12;
    const writers = { running: true };
    // A reader that follows by the last number must never find an earlier one later.
    const follower = (async () => {
      const seen: number[] = [];
      while (writers.running || (await readSeqs(ctx, seen.length)).length > 0) {
        const next = await readSeqs(ctx, seen.length);
        expect(next).toEqual(next.map((_, index) => seen.length + index + 1));
        seen.push(...next);
      }
      return seen;
    })();
    await atOnce(16, async (writer) => {
      for (let turn = 0; turn < perWriter; turn++) {
        const events = Array.from({ length: 1 + ((writer + turn) % 3) }, () => anEvent());
        await ctx.transaction(async (tx) => append(tx, { events }));
      }
    });
    writers.running = false;
    expect(await follower).toEqual(upTo(before + 16 * perWriter * 2));
  });

  it("keeps the events of one transaction together and in order", async () => {
    const ctx = await freshWorkspace();
    await atOnce(8, async (writer) => {
      const events = ["a", "b", "c"].map((part) => anEvent(`thing.${writer}${part}`));
      await ctx.transaction(async (tx) => append(tx, { events }));
    });
    const rows = await server.database.query<{ type: string }>(
      "SELECT type FROM event WHERE workspace_id = $1 AND type LIKE 'thing.%' ORDER BY seq",
      [ctx.workspaceId],
    );
    const written = rows.map(({ type }) => type.slice("thing.".length));
    for (let start = 0; start < written.length; start += 3) {
      const writer = written[start]?.slice(0, 1);
      expect(written.slice(start, start + 3)).toEqual([`${writer}a`, `${writer}b`, `${writer}c`]);
    }
    expect(written).toHaveLength(24);
  });

  it("leaves no gap if a transaction is rolled back", async () => {
    const ctx = await freshWorkspace();
    await atOnce(8, async (writer) => {
      const work = ctx.transaction(async (tx) => {
        append(tx, { events: [anEvent(), anEvent()] });
        if (writer % 2 === 0) throw new Error("taken back");
      });
      await work.catch(() => {});
    });
    const seqs = await readSeqs(ctx);
    expect(seqs).toEqual(upTo(seqs.length));
    const kept = await server.database.query(
      "SELECT 1 FROM event WHERE workspace_id = $1 AND type = 'thing.happened'",
      [ctx.workspaceId],
    );
    expect(kept).toHaveLength(8);
  });

  it("advances the workspace's cursor with every event, within its own epoch", async () => {
    const [ctx, other] = [await freshWorkspace(), await freshWorkspace()];
    const list = { table: TABLES.task, collection: "tasks" as const, page: {} };
    const cursors: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      cursors.push((await readPage(ctx, list)).cursor);
      await ctx.transaction(async (tx) => append(tx, { events: [anEvent()] }));
    }
    expect(new Set(cursors).size).toBe(3);
    const parts = cursors.map((cursor) => Buffer.from(cursor, "base64url").toString().split("."));
    const [first] = parts;
    expect(parts.map(([, epoch]) => epoch)).toEqual(cursors.map(() => first?.[1]));
    expect(parts.map(([, , seq]) => Number(seq) - Number(first?.[2]))).toEqual([0, 1, 2]);
    const [, epochOfOther] = Buffer.from((await readPage(other, list)).cursor, "base64url")
      .toString()
      .split(".");
    expect(epochOfOther).not.toBe(first?.[1]);
  });

  it("numbers revocations in one order for all workspaces, without gaps", async () => {
    const { query } = server.database;
    const count = "SELECT count(*)::int AS count, COALESCE(max(seq), 0)::int AS last FROM revocation";
    const [before] = await query<{ count: number; last: number }>(count);
    const workspaces = await Promise.all(Array.from({ length: 6 }, freshWorkspace));
    await Promise.all(
      workspaces.map(async (ctx) => {
        await suspendWorkspace(ctx);
        const revocations = ["api_key", "agent_token"] as const;
        await ctx.transaction(async (tx) =>
          append(tx, {
            events: [anEvent()],
            revocations: revocations.map((kind) => ({
              kind,
              subjectId: crypto.randomUUID(),
              reason: "test",
            })),
          }),
        );
      }),
    );
    const rows = await query<{ seq: string; workspace_id: string; kind: string }>(
      "SELECT seq, workspace_id, kind FROM revocation WHERE seq > $1 ORDER BY seq",
      [before?.last],
    );
    expect(rows.map(({ seq }) => Number(seq) - (before?.last ?? 0))).toEqual(upTo(18));
    for (const { workspaceId } of workspaces) {
      const own = rows.filter((row) => row.workspace_id === workspaceId);
      expect(own.map(({ kind }) => kind)).toEqual(["workspace", "api_key", "agent_token"]);
      expect(Number(own[2]?.seq) - Number(own[1]?.seq)).toBe(1);
    }
  });
});

describe("the audit log", () => {
  async function act(ctx: Ctx, changes: Record<string, unknown> = {}): Promise<void> {
    const audit = [{ action: "thing.done", targetType: "thing", targetId: "1", changes }];
    await ctx.transaction(async (tx) => append(tx, { events: [anEvent()], audit }));
  }

  it("is one chain of hashes, whatever the rows contain", async () => {
    const ctx = await freshWorkspace();
    const { rows } = await checkAuditChain(server.database, ctx.workspaceId);
    const storable = fc.jsonValue().filter((value) => !/\\u(?:0000|d[89a-f])/i.test(JSON.stringify(value)));
    let acts = 0;
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.stringMatching(/^[ -~äß€]{0,8}$/), storable), async (changes) => {
        await act(ctx, changes);
        acts++;
      }),
      { numRuns: runs(60) },
    );
    expect(await checkAuditChain(server.database, ctx.workspaceId)).toEqual({
      rows: rows + acts,
      brokenAt: null,
    });
  });

  it("stays one chain under concurrent writers and rollbacks", async () => {
    const ctx = await freshWorkspace();
    const { rows } = await checkAuditChain(server.database, ctx.workspaceId);
    const audit = ["one", "two"].map((action) => ({ action, targetType: "thing", targetId: action }));
    await atOnce(16, async (writer) => {
      const work = ctx.transaction(async (tx) => {
        append(tx, { events: [anEvent()], audit });
        if (writer % 4 === 0) throw new Error("taken back");
      });
      await work.catch(() => {});
    });
    expect(await checkAuditChain(server.database, ctx.workspaceId)).toEqual({
      rows: rows + 12 * 2,
      brokenAt: null,
    });
  });

  it.each([
    ["changed", "UPDATE audit_event SET changes = '{\"n\":9}' WHERE workspace_id = $1 AND seq = $2"],
    ["changed to another actor", "UPDATE audit_event SET actor = '{}' WHERE workspace_id = $1 AND seq = $2"],
    [
      "backdated",
      "UPDATE audit_event SET created_at = created_at - interval '1 ms' WHERE workspace_id = $1 AND seq = $2",
    ],
    ["rehashed", "UPDATE audit_event SET hash = sha256('x') WHERE workspace_id = $1 AND seq = $2"],
    ["deleted", "DELETE FROM audit_event WHERE workspace_id = $1 AND seq = $2"],
    ["removed with all after it", "DELETE FROM audit_event WHERE workspace_id = $1 AND seq >= $2"],
  ])("reveals a row that was %s", async (_how, statement) => {
    const ctx = await freshWorkspace();
    for (let n = 0; n < 4; n++) await act(ctx, { n });
    const { rows } = await checkAuditChain(server.database, ctx.workspaceId);
    await server.database.query(statement, [ctx.workspaceId, rows - 1]);
    const { brokenAt } = await checkAuditChain(server.database, ctx.workspaceId);
    expect(brokenAt).toBe(rows - 1);
  });

  it("records the actor, IP address and request id", async () => {
    const seen = { ip: "192.0.2.7", userAgent: "test/1", requestId: "r-1" };
    const ctx = openCtx(server.services, { ...(await freshWorkspace()), ...seen });
    await ctx.transaction(async (tx) =>
      append(tx, { events: [], audit: [{ action: "a", targetType: "t", targetId: "1" }] }),
    );
    const [row] = await server.database.query(
      "SELECT actor, ip, user_agent, request_id FROM audit_event WHERE workspace_id = $1 AND action = 'a'",
      [ctx.workspaceId],
    );
    expect(row).toEqual({
      actor: { type: "system", id: null, name: "test" },
      ip: "192.0.2.7",
      user_agent: "test/1",
      request_id: "r-1",
    });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuditProblem } from "../../../src/domain/audit/audit-chain.ts";
import { verifyAudit } from "../../../src/domain/audit/verify-audit.ts";
import { type Ctx, openCtx } from "../../../src/domain/kernel/context.ts";
import { appendAuditRows } from "../../support/audit-rows.ts";
import { checkAuditChain } from "../../support/audit-chain.ts";
import { getErrorCode, userCtx } from "../../support/callers.ts";
import { type TestServer, startTestServer } from "../../support/server.ts";

/** More than one batch. */
const ROWS = 2010;
/** Rows written by the creation of the workspace. */
const FIRST = 3;

let server: TestServer;
let ctx: Ctx;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.close());

beforeEach(async () => {
  const { workspaceId } = await server.createWorkspace();
  const caller = { ...server.systemCtx(workspaceId), ip: "2001:db8::1", userAgent: "x", requestId: "r" };
  ctx = openCtx(server.services, caller);
  await appendAuditRows(ctx, ROWS - FIRST);
});

/** Changes the log in a way no use case does. */
async function tamper(statement: string): Promise<void> {
  await server.database.query(statement.replaceAll("$1", `'${ctx.workspaceId}'`));
}

/** The id of the row in another's place. */
async function readId(seq: number): Promise<string | null> {
  const [row] = await server.database.query<{ id: string }>(
    "SELECT id FROM audit_event WHERE workspace_id = $1 AND seq = $2",
    [ctx.workspaceId, seq],
  );
  return row?.id ?? null;
}

describe("verifyAudit", () => {
  it("counts the rows of a valid log in several batches", async () => {
    expect(await verifyAudit(ctx)).toEqual({
      ...{ rows: ROWS, lastSeq: ROWS, deleted: null, firstBad: null },
    });
    expect(await checkAuditChain(server.database, ctx.workspaceId)).toEqual({ rows: ROWS, brokenAt: null });
  });

  it("succeeds while others append", async () => {
    const appending = Array.from({ length: 10 }, () => appendAuditRows(ctx, 20));
    const verdicts = await Promise.all([verifyAudit(ctx), ...appending, verifyAudit(ctx)]);
    expect(verdicts[0]).toMatchObject({ firstBad: null });
    expect(verdicts.at(-1)).toMatchObject({ firstBad: null });
  });

  const changed = (set: string): [string, string, number, AuditProblem] => [
    `a row whose ${set.split(" =")[0]} was changed`,
    `UPDATE audit_event SET ${set} WHERE workspace_id = $1 AND seq = 2005`,
    2005,
    "changed",
  ];

  it.each<[string, string, number, AuditProblem]>([
    changed(`action = 'test.innocent'`),
    changed(`actor = jsonb_set(actor, '{name}', '"somebody else"')`),
    changed(`target_type = 'user'`),
    changed(`target_id = 'x'`),
    changed(`ip = NULL`),
    changed(`user_agent = 'y'`),
    changed(`request_id = 's'`),
    changed(`id = gen_random_uuid()`),
    changed(`changes = changes || '{"number": 7}'`),
    changed(`changes = '{"n": 1e400}'`),
    changed(`created_at = created_at - interval '1 millisecond'`),
    changed(`created_at = 'infinity'`),
    changed(`hash = sha256('x')`),
    ["a missing row", "DELETE FROM audit_event WHERE workspace_id = $1 AND seq = 1000", 1000, "missing"],
    ["a missing first row", "DELETE FROM audit_event WHERE workspace_id = $1 AND seq = 1", 1, "missing"],
    ["a truncated log", "DELETE FROM audit_event WHERE workspace_id = $1 AND seq > 2000", 2001, "missing"],
    ["an empty log", "DELETE FROM audit_event WHERE workspace_id = $1", 1, "missing"],
    [
      "a gap closed by renumbering the next row",
      `DELETE FROM audit_event WHERE workspace_id = $1 AND seq = ${ROWS - 1};
       UPDATE audit_event SET seq = ${ROWS - 1} WHERE workspace_id = $1 AND seq = ${ROWS}`,
      ROWS - 1,
      "broken_link",
    ],
    [
      "a row with another predecessor",
      "UPDATE audit_event SET prev_hash = sha256('x') WHERE workspace_id = $1 AND seq = 2",
      2,
      "broken_link",
    ],
    [
      "a head with another last row",
      "UPDATE workspace_head SET audit_hash = sha256('x') WHERE workspace_id = $1",
      ROWS,
      "head_mismatch",
    ],
    [
      "a head set back",
      `UPDATE workspace_head SET audit_seq = 1500, audit_hash =
         (SELECT hash FROM audit_event WHERE workspace_id = $1 AND seq = 1500) WHERE workspace_id = $1`,
      1501,
      "beyond_head",
    ],
    [
      "a head set forward",
      `UPDATE workspace_head SET audit_seq = audit_seq + 1 WHERE workspace_id = $1`,
      ROWS + 1,
      "missing",
    ],
  ])("reports %s", async (...[, statement, seq, problem]) => {
    await tamper(statement);
    const id = problem === "missing" ? null : await readId(seq);
    expect(await verifyAudit(ctx)).toMatchObject({ rows: seq - 1, firstBad: { seq, id, problem } });
  });

  it("detects a row rewritten with its hash, by the next row", async () => {
    const [copy] = await server.database.query<{ hash: Buffer }>(
      "SELECT hash FROM audit_event WHERE workspace_id = $1 AND seq = 10",
      [ctx.workspaceId],
    );
    const { workspaceId } = await server.createWorkspace();
    expect(await verifyAudit(server.systemCtx(workspaceId))).toMatchObject({ rows: FIRST, firstBad: null });
    // Row 5 is rewritten so that it is consistent in itself.
    await tamper(`DELETE FROM audit_event WHERE workspace_id = $1 AND seq = 5`);
    await server.database.query(
      `INSERT INTO audit_event SELECT $1, 5, a.id, a.actor, a.action, a.target_type, a.target_id, a.ip, a.user_agent,
         a.request_id, a.changes, b.hash, $2, a.created_at
       FROM audit_event a, audit_event b
       WHERE a.workspace_id = $1 AND a.seq = 10 AND b.workspace_id = $1 AND b.seq = 4`,
      [ctx.workspaceId, copy?.hash],
    );
    expect((await verifyAudit(ctx)).firstBad).toMatchObject({ seq: 5, problem: "changed" });
  });

  it("allows only admins and owners", async () => {
    for (const role of ["owner", "admin", "operator", "viewer"] as const) {
      const code = await getErrorCode(verifyAudit(userCtx(server, ctx.workspaceId, role)));
      expect(code).toBe(role === "owner" || role === "admin" ? "" : "forbidden");
    }
  });
});

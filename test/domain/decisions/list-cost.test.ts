import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listDecisions } from "../../../src/domain/decisions/list-decisions.ts";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { DECISION_PARTITIONS, createDayPartitions } from "../../../src/domain/retention/day-partitions.ts";
import { getErrorCode } from "../../support/callers.ts";
import { countBlocks, explainList } from "../../support/explain-list.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";

const DECISIONS = 50_000;
const [DENIED, ALLOWED] = [crypto.randomUUID(), crypto.randomUUID()];

let server: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
  const { workspaceId } = await server.createWorkspace();
  ctx = server.systemCtx(workspaceId);
  const now = new Date();
  await createDayPartitions(server.services.database, DECISION_PARTITIONS, now);
  const start = now.getTime().toString(16).padStart(12, "0");
  await server.database.query(
    `INSERT INTO decision (workspace_id, id, agent_id, action, resource_type, resource_id, outcome, reason, matched,
       request_hash, latency_us, created_at)
     SELECT $1, ($2 || '7000800' || lpad(to_hex(n), 13, '0'))::uuid, x.agent_id::uuid, 'x', 'tool', 'x',
       x.outcome::decision_outcome, 'default_deny', '[]', '\\x00', 1, now() - n * interval '1 second'
     FROM generate_series(1, $3::int) n
     CROSS JOIN LATERAL (VALUES (0, $4, 'deny'), (1, $5, 'allow')) x (half, agent_id, outcome)
     WHERE x.half = n % 2`,
    [workspaceId, start, DECISIONS, DENIED, ALLOWED],
  );
  // Not vacuumed yet, as a day's newest partition is: index-only scans look dear to the planner.
  await server.database.query("ANALYZE decision");
});

afterAll(() => server.close());

describe("listDecisions", () => {
  it.each([
    [{ outcome: "ask" }],
    [{ outcome: "allow", agentId: DENIED }],
    [{ outcome: "deny", agentId: ALLOWED }],
  ] as const)("costs little however many decisions are not meant (%j)", async (filter) => {
    const plan = await explainList(server, ctx, (listening) => listDecisions(listening, {}, filter));
    expect(countBlocks(plan)).toBeLessThan(150);
  });

  it("takes a task alone", async () => {
    const taskId = crypto.randomUUID();
    expect((await listDecisions(ctx, {}, { taskId, from: new Date() })).nodes).toEqual([]);
    for (const others of [{ outcome: "allow" }, { agentId: DENIED }] as const) {
      expect(await getErrorCode(listDecisions(ctx, {}, { taskId, ...others }))).toBe("validation_failed");
    }
  });
});

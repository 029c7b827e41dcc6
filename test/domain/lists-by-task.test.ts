import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { listApprovals } from "../../src/domain/approvals/list-approvals.ts";
import { listDecisions } from "../../src/domain/decisions/list-decisions.ts";
import { DECISION_PARTITIONS, createDayPartitions } from "../../src/domain/retention/day-partitions.ts";
import { countBlocks, explainList } from "../support/explain-list.ts";
import { type QuietServices, openQuietServices } from "../support/quiet-services.ts";

const ROWS = 20_000;
const TASK = "01a202f4-a278-7f20-b88d-5d073a9b37dd";

let server: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
  const { workspaceId } = await server.createWorkspace();
  ctx = server.systemCtx(workspaceId);
  // Two in a hundred are about the task, the oldest ones.
  const task = `CASE WHEN n > ${ROWS - ROWS / 50} THEN $3::uuid WHEN n % 2 = 0 THEN gen_random_uuid() END`;
  await createDayPartitions(server.services.database, DECISION_PARTITIONS, new Date());
  const id = `(lpad(to_hex((extract(epoch FROM now()) * 1000)::int8), 12, '0') || '7' || substr(md5(n::text), 1, 19))::uuid`;
  await server.database.query(
    `INSERT INTO decision (workspace_id, id, action, resource_type, resource_id, outcome, reason, matched, request_hash,
       latency_us, task_id, created_at)
     SELECT $1, ${id}, 'tools/call', 'tool', 'x', 'deny', 'default_deny', '[]', '\\x00', 1, ${task},
       now() - n * interval '1 second' FROM generate_series(1, $2::int) n`,
    [workspaceId, ROWS, TASK],
  );
  await server.database.query(
    `INSERT INTO approval (workspace_id, id, decision_id, action, resource_type, resource_id, request, hidden_values,
       request_hash, asked_by, role, persons, uses, scope, can_edit, valid_seconds, expires_at, task_id, created_at)
     SELECT $1, gen_random_uuid(), gen_random_uuid(), 'tools/call', 'tool', 'x', '{}', 0, decode(repeat('00', 32), 'hex'),
       '[]', 'operator', 1, 1, 'exact', false, 60, now(), ${task}, now() - n * interval '1 second'
     FROM generate_series(1, $2::int) n`,
    [workspaceId, ROWS, TASK],
  );
  await server.database.query("VACUUM ANALYZE");
});

afterAll(() => server.close());

describe("what is listed of a task", () => {
  it.each([
    ["decisions", listDecisions],
    ["approvals", listApprovals],
  ] as const)("costs little however much is of other tasks (%s)", async (_name, list) => {
    const plan = await explainList(server, ctx, (listening) =>
      list(listening, { first: 10 }, { taskId: TASK }),
    );
    expect(countBlocks(plan)).toBeLessThan(600);
    const found = await list(ctx, { first: 10 }, { taskId: TASK });
    expect(found.total).toBe(ROWS / 50);
  });
});

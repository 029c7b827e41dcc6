import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { listTraces } from "../../../src/domain/traces/list-traces.ts";
import { countBlocks, explainList } from "../../support/explain-list.ts";
import { type QuietServices, openQuietServices } from "../../support/quiet-services.ts";
import { vacuum } from "../../support/vacuum.ts";

const TRACES = 20_000;

let server: QuietServices;
let ctx: Ctx;

beforeAll(async () => {
  server = await openQuietServices();
  const { workspaceId } = await server.createWorkspace();
  ctx = server.systemCtx(workspaceId);
  await server.database.query(
    `INSERT INTO trace (workspace_id, id, day, agent_id, status, plumbing, started_at, created_at, updated_at)
     SELECT $1, gen_random_uuid(), current_date, a.id, 'unset', n % 2 = 0, now(), now() - n * interval '1 second', now()
     FROM agent a, generate_series(1, $2::int) n WHERE a.workspace_id = $1`,
    [workspaceId, TRACES],
  );
  await vacuum(server.database, "trace");
});

afterAll(() => server.close());

describe("listTraces", () => {
  it.each([
    [{ status: "ok" }],
    [{ status: "error" }],
    [{ status: "ok", plumbing: true }],
    [{ status: "error", plumbing: true }],
  ] as const)("costs little however many traces are not meant (%j)", async (filter) => {
    const plan = await explainList(server, ctx, (listening) => listTraces(listening, {}, filter));
    expect(countBlocks(plan)).toBeLessThan(50);
  });
});

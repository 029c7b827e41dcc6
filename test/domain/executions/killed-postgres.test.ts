import { afterAll, beforeAll, expect, it } from "vitest";
import { sweepExecutions } from "../../../src/domain/executions/sweep-executions.ts";
import { createApprovalScene } from "../../support/approval-scene.ts";
import { refund } from "../../support/gateway-scene.ts";
import { type OwnPostgres, startOwnPostgres } from "../../support/own-postgres.ts";
import { startOn } from "../../support/server.ts";
import { type TestAnswer, createTestClient } from "../../support/test-client.ts";
import { type TestWorld, createWorldOn } from "../../support/test-world.ts";

const PATH = "/api/v1/gateway/executions";
const APPROVALS = 24;
const BEFORE_THE_KILL = 8;

let postgres: OwnPostgres;
let world: TestWorld;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  world = await createWorldOn(await startOn(postgres));
});

afterAll(() => world.server.close());

it(
  "a PostgreSQL that is killed amid redemptions has each that was answered, and grants none twice",
  { timeout: 180_000 },
  async () => {
    const { token, approved } = await createApprovalScene(world);
    const client = createTestClient(world.server.url, token);
    const calls: { approval_id: string; request: object }[] = [];
    for (let amount = 501; calls.length < APPROVALS; amount++) {
      const request = refund({ amount });
      calls.push({ approval_id: await approved(request), request });
    }
    const redeem = (call: (typeof calls)[number], key = call.approval_id): Promise<TestAnswer> =>
      client.post(PATH, call, { "idempotency-key": key });
    const answered = new Map<string, string>();
    const kills: Promise<void>[] = [];
    const statuses = await Promise.all(
      calls.map(async (call) => {
        const { status, body } = await redeem(call);
        if (status === 201) answered.set(call.approval_id, body.execution.id);
        if (answered.size >= BEFORE_THE_KILL && kills.length === 0) kills.push(postgres.kill());
        return status;
      }),
    );
    await Promise.all(kills);
    expect(new Set(statuses)).toEqual(new Set([201, 503]));
    await postgres.restart();
    await expect.poll(async () => (await fetch(`${world.server.url}/readyz`)).status).toBe(200);
    for (const call of calls) {
      const { status, body } = await redeem(call);
      expect(status).toBe(201);
      expect(body.execution.id).toBe(answered.get(call.approval_id) ?? body.execution.id);
    }
    const rows = await postgres.query<{ uses: number; executions: number }>(
      `SELECT a.used_count AS uses, (SELECT count(*)::int FROM execution e WHERE e.approval_id = a.id) AS executions FROM approval a`,
    );
    expect(rows).toEqual(calls.map(() => ({ uses: 1, executions: 1 })));
    const [fences] = await postgres.query<{ count: number }>(
      "SELECT count(DISTINCT fence)::int AS count FROM execution",
    );
    expect(fences?.count).toBe(APPROVALS);
    // Who never read the answer, and has lost its key, finds out which execution it was.
    await sweepExecutions(world.server.services, new Date(Date.now() + 3_600_000));
    for (const call of calls.slice(0, 3)) {
      expect((await redeem(call, crypto.randomUUID())).body).toMatchObject({
        ...{ code: "already_executed", current_status: "unknown" },
      });
    }
  },
);

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cancelApproval } from "../../../src/domain/approvals/cancel-approval.ts";
import { denyApproval } from "../../../src/domain/approvals/deny-approval.ts";
import { grantApproval } from "../../../src/domain/approvals/grant-approval.ts";
import { revokeApproval } from "../../../src/domain/approvals/revoke-approval.ts";
import { sweepApprovals } from "../../../src/domain/approvals/sweep-approvals.ts";
import {
  type AccessRequestScene,
  accessProblem,
  createAccessRequestScene,
} from "../../support/access-request-scene.ts";
import { createAuthzenScene } from "../../support/authzen-scene.ts";
import { type TestWorld, createWorld } from "../../support/test-world.ts";

let world: TestWorld;
let scene: AccessRequestScene;

beforeAll(async () => {
  world = await createWorld();
});

afterAll(() => world.server.close());

beforeEach(async () => {
  scene = await createAccessRequestScene(world);
});

describe("GET /access/v1/requests/{id}", () => {
  const read = (id: string, query = "") => scene.agent.get(`/access/v1/requests/${id}${query}`);

  it("waits for the answer, and says when to ask again while there is none", async () => {
    const { body } = await scene.submit();
    const { id } = body.task;
    const pending = await read(id);
    expect(pending).toMatchObject({ status: 200, body });
    expect(pending.headers.get("retry-after")).toBe("5");
    expect(pending.headers.get("cache-control")).toBe("no-store");
    const waiting = read(id, "?wait=25");
    const { approvedUntil, decidedAt } = await grantApproval(scene.person, { id });
    const answered = await waiting;
    expect(answered.body).toMatchObject({
      task: { id, status: "approved" },
      result: {
        mode: "reevaluate",
        approval: { id, approved_at: decidedAt?.toISOString(), approved_until: approvedUntil?.toISOString() },
      },
    });
    expect(answered.body.task).not.toHaveProperty("links");
    expect(answered.headers.get("retry-after")).toBeNull();
  });

  it("shows each end, and a revoked approval as over", async () => {
    const [denied, cancelled, expired, revoked] = [
      (await scene.submit(scene.ask({ amount: 601 }))).body.task.id,
      (await scene.submit(scene.ask({ amount: 602 }))).body.task.id,
      (await scene.submit(scene.ask({ amount: 603 }))).body.task.id,
      (await scene.submit(scene.ask({ amount: 604 }))).body.task.id,
    ];
    await denyApproval(scene.person, { id: denied, comment: "No." });
    await cancelApproval(scene.self, { id: cancelled });
    await grantApproval(scene.person, { id: revoked });
    const { revokedAt } = await revokeApproval(scene.person, { id: revoked, reason: "No." });
    const { expiresAt } = await scene.ctx.db.approval.findFirstOrThrow({ where: { id: expired } });
    await sweepApprovals(world.server.services, new Date(expiresAt.getTime() + 1));
    expect((await read(denied)).body.task.status).toBe("denied");
    expect((await read(cancelled)).body.task.status).toBe("cancelled");
    expect((await read(expired)).body.task.status).toBe("expired");
    expect((await read(revoked)).body).toMatchObject({
      task: { status: "approved" },
      result: { approval: { approved_until: revokedAt?.toISOString() } },
    });
  });

  it("is an unknown task for others and for no id, and over a day after its end", async () => {
    const { body } = await scene.submit();
    const { id } = body.task;
    const other = await createAuthzenScene(world, { entities: {}, policies: [] });
    for (const found of [await other.agent.get(`/access/v1/requests/${id}`), await read("x")]) {
      expect(found).toMatchObject(accessProblem("unknown_task", 404));
    }
    expect(await read(crypto.randomUUID())).toMatchObject(accessProblem("unknown_task", 404));
    expect(await read(id, "?wait=26")).toMatchObject({ status: 400, body: expect.any(String) });
    await cancelApproval(scene.self, { id });
    const past =
      "UPDATE approval SET decided_at = now() - interval '2 days', expires_at = now() - interval '2 days' WHERE id = $1";
    await world.server.database.query(past, [id]);
    expect(await read(id)).toMatchObject(accessProblem("task_expired", 410));
  });
});

describe("POST /access/v1/requests/{id}/cancel", () => {
  const cancel = (id: string, body?: unknown) => scene.post(`requests/${id}/cancel`, body);

  it("cancels what is pending, once", async () => {
    const { body } = await scene.submit();
    const { id } = body.task;
    expect(await cancel(id, { reason: "changed_mind" })).toMatchObject({
      ...{ status: 200, body: { task: { id, status: "cancelled" } } },
    });
    expect(await cancel(id)).toMatchObject(accessProblem("invalid_task_state", 409));
    expect(await cancel(crypto.randomUUID())).toMatchObject(accessProblem("unknown_task", 404));
  });

  it("is an error for what people decided, and for what has expired", async () => {
    const approval = await scene.approve();
    expect(await cancel(approval.id)).toMatchObject(accessProblem("invalid_task_state", 409));
    const { body } = await scene.submit(scene.ask({ amount: 700 }));
    const past = "UPDATE approval SET expires_at = now() - interval '1 second' WHERE id = $1";
    await world.server.database.query(past, [body.task.id]);
    expect(await cancel(body.task.id)).toMatchObject(accessProblem("task_expired", 410));
  });
});

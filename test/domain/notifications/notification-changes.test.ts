import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAlertRule } from "../../../src/domain/alerts/create-alert-rule.ts";
import { evaluateAlerts } from "../../../src/domain/alerts/evaluate-alerts.ts";
import { queueDigests } from "../../../src/domain/notifications/queue-digests.ts";
import { queueQuestionEmails } from "../../../src/domain/notifications/queue-question-emails.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
import { deleteUser } from "../../../src/domain/users/delete-user.ts";
import { setEmail } from "../../../src/domain/users/set-email.ts";
import { resumeWorkspace, suspendWorkspace } from "../../../src/domain/workspaces/suspend-workspace.ts";
import { holdLock } from "../../support/locked-table.ts";
import { type MailWorld, openMailWorld } from "../../support/mail-world.ts";
import { insertNotificationRows } from "../../support/notification-rows.ts";
import { type NotificationScene, openNotificationScene } from "../../support/notification-scene.ts";

let world: MailWorld;
let scene: NotificationScene;

beforeAll(async () => {
  world = await openMailWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  scene = await openNotificationScene(world);
});

/** A rule with this name fires. */
async function fireAfter(minutes: number, name: string): Promise<void> {
  await world.database.query(
    "UPDATE agent SET presence = 'offline', last_seen_at = now() WHERE workspace_id = $1",
    [scene.member.workspaceId],
  );
  await createAlertRule(scene.member.ctx, { name, metric: "agents_offline", threshold: 0 });
  await evaluateAlerts(world.services, scene.after(minutes));
}

function queueAfter(minutes: number): Promise<number> {
  return queueQuestionEmails(world.services, scene.after(minutes));
}

describe("while no emails can be sent", () => {
  it("one about alerts is kept, which tells of all of them in the end", async () => {
    await scene.want({ alerts: true });
    world.api.answer("broken");
    for (const nth of [0, 1, 2, 3]) {
      await fireAfter(nth * 10, `Rule ${nth}`);
      for (const later of [0, 1, 2]) expect(await scene.deliverAfter(nth * 10 + later)).toEqual([]);
    }
    world.api.answer("taken");
    const [email, ...more] = await scene.deliverAfter(60);
    expect(more).toEqual([]);
    expect(email?.subject).toBe("4 alerts firing");
  });

  it("one about questions is kept, which has all that wait in the end", async () => {
    await scene.want({ questionMinutes: 1 });
    world.api.answer("broken");
    for (const nth of [0, 1, 2, 3]) {
      await scene.ask(`Question ${nth}?`, 3 - nth);
      expect(await queueAfter(nth * 10 + 2)).toBe(1);
      for (const later of [2, 3, 4]) expect(await scene.deliverAfter(nth * 10 + later)).toEqual([]);
    }
    world.api.answer("taken");
    const [email, ...more] = await scene.deliverAfter(60);
    expect(more).toEqual([]);
    expect(email?.subject).toBe("4 questions wait for an answer");
  });
});

describe("an email that is queued", () => {
  it("goes to the address that the person has when it is sent", async () => {
    await scene.want({ alerts: true });
    await fireAfter(1, "Gone");
    const { ctx, id } = scene.member;
    const address = `new-${id}@example.com`;
    await ctx.transaction((tx) => setEmail(tx, id, address));
    const emails = await scene.deliverAfter(1);
    expect(emails.filter(({ subject }) => subject === "Alert: Gone")).toMatchObject([{ to: address }]);
  });

  it.each(["suspended_at", "deleted_at"])("is not sent to a person with %s", async (column) => {
    await scene.want({ alerts: true });
    await fireAfter(1, "Gone");
    await world.database.query(`UPDATE "user" SET ${column} = now() WHERE id = $1`, [scene.member.id]);
    expect(await scene.deliverAfter(1)).toEqual([]);
  });

  it("is sent to an address that the person has not confirmed only if the workspace verified its domain", async () => {
    await scene.want({ alerts: true });
    await world.database.query('UPDATE "user" SET confirmed_at = NULL WHERE id = $1', [scene.member.id]);
    await fireAfter(1, "Gone");
    expect(await scene.deliverAfter(1)).toEqual([]);
    const { workspaceId } = scene.member;
    await world.database.query(
      `INSERT INTO sign_in_domain (workspace_id, id, domain, token, verified_at)
      VALUES ($1, gen_random_uuid(), 'example.com', 'x', now())`,
      [workspaceId],
    );
    await fireAfter(10, "Gone again");
    expect(await scene.deliverAfter(10)).toMatchObject([{ subject: "Alert: Gone again" }]);
  });

  it("is sent later if the workspace has sent a flood", async () => {
    await scene.want({ alerts: true });
    await fireAfter(1, "Gone");
    await world.database.query(
      `INSERT INTO throttle (key, hits, touched_at)
      SELECT sha256(convert_to($1, 'UTF8')), array_fill($2::timestamptz, ARRAY[1000]), $2`,
      [`notifications:${scene.member.workspaceId}`, scene.after(0)],
    );
    expect(await scene.deliverAfter(1)).toEqual([]);
    expect(await scene.deliverAfter(14.9)).toEqual([]);
    expect(await scene.deliverAfter(16)).toHaveLength(1);
  });

  it("is not sent while its workspace is suspended", async () => {
    await scene.want({ alerts: true });
    await fireAfter(1, "Gone");
    await suspendWorkspace(scene.member.ctx);
    expect(await scene.deliverAfter(1)).toEqual([]);
    await resumeWorkspace(scene.member.ctx);
    expect(await scene.deliverAfter(10)).toEqual([]);
  });
});

describe("what a person wants to be told of", () => {
  it("stays when the person is suspended, and is deleted with the links that end it when the person is", async () => {
    const left = await scene.createColleague();
    await insertNotificationRows(left.ctx, left.id);
    const count = async () => [
      await left.ctx.db.notificationSettings.count({ where: { userId: left.id } }),
      await left.ctx.db.unsubscribeLink.count({ where: { userId: left.id } }),
    ];
    await deactivateUser(scene.enter(), left.id);
    expect(await count()).toEqual([1, 1]);
    await deleteUser(scene.enter(), left.id);
    expect(await count()).toEqual([0, 0]);
  });
});

const QUEUEING = {
  alerts: () => fireAfter(1, "Gone"),
  questions: () => queueAfter(1),
  digests: () => queueDigests(world.services, scene.after(2 * 24 * 60)),
};

describe("queueing emails", () => {
  it.each(["alerts", "questions", "digests"] as const)(
    "of %s locks no settings of a person who is being changed",
    async (topic) => {
      await scene.want({ alerts: true, questionMinutes: 1, digest: "daily" });
      await scene.ask("Well?", 10);
      const whose = [scene.member.workspaceId, scene.member.id];
      const lockUser = `SELECT 1 FROM "user" WHERE workspace_id = $1 AND id = $2 FOR UPDATE`;
      const lock = await holdLock(world.database, lockUser, whose);
      const queueing = QUEUEING[topic]();
      await (topic === "alerts" ? lock.waiters(1) : queueing);
      const lockSettings =
        "SELECT 1 FROM notification_settings WHERE workspace_id = $1 AND user_id = $2 FOR UPDATE NOWAIT";
      await expect(lock.query(lockSettings, whose)).resolves.toBeUndefined();
      await lock.release();
      await queueing;
    },
  );
});

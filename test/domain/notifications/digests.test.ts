import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { queueDigests } from "../../../src/domain/notifications/queue-digests.ts";
import { type MailWorld, openMailWorld } from "../../support/mail-world.ts";
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

describe("digests", () => {
  const at = (text: string) => new Date(`2030-01-${text}:00Z`);

  async function due(): Promise<Date | undefined> {
    const [row] = await world.database.query<{ due: Date }>(
      "SELECT digest_due_at AS due FROM notification_settings WHERE user_id = $1",
      [scene.member.id],
    );
    return row?.due;
  }

  it("come at the hour, say what happened and what waits, and one however many were missed", async () => {
    await scene.want({ digest: "daily", digestHour: 9 });
    await world.database.query("UPDATE notification_settings SET digest_due_at = $1", [at("01T09:00")]);
    await world.database.query(
      `INSERT INTO task (workspace_id, id, context_id, title, created_by, status, finished_at, queue)
       SELECT $1::uuid, gen_random_uuid(), gen_random_uuid(), 'A task', '{}', s::task_status, $2::timestamptz, 'q'
       FROM unnest(ARRAY['completed', 'completed', 'failed']) s`,
      [scene.member.workspaceId, at("04T20:00")],
    );
    await scene.ask("Well?");
    expect(await queueDigests(world.services, at("01T08:59"))).toBe(0);
    expect(await queueDigests(world.services, at("05T10:00"))).toBe(1);
    expect(await due()).toEqual(at("06T09:00"));
    expect(await queueDigests(world.services, at("05T10:00"))).toBe(0);
    const [email, ...more] = await scene.deliverAt(at("05T10:00"));
    expect(more).toEqual([]);
    expect(email?.subject).toBe("Your day in Agent Ops");
    expect(email?.text).toContain("- 2 tasks completed, 1 failed, 0 canceled; 0 in queues now.\n");
    expect(email?.text).toContain("- 1 question without an answer, the oldest for ");
    expect(email?.text).toContain("- 0 of 2 agents online.");
  });

  it("that are due are not put off by a change of something else", async () => {
    await scene.want({ digest: "daily", digestHour: 9 });
    await world.database.query("UPDATE notification_settings SET digest_due_at = $1", [at("01T09:00")]);
    await scene.want({ alerts: true });
    expect(await due()).toEqual(at("01T09:00"));
    await scene.want({ digestHour: 10 });
    expect(await due()).not.toEqual(at("01T09:00"));
  });

  it("are not sent where nothing happened and nothing waits", async () => {
    await scene.want({ digest: "weekly" });
    await world.database.query("UPDATE notification_settings SET digest_due_at = now()");
    expect(await queueDigests(world.services, scene.after(1))).toBe(1);
    expect(await scene.deliverAfter(1)).toEqual([]);
    expect((await due())?.getUTCDay()).toBe(1);
  });
});

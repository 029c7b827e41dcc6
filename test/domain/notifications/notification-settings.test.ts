import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Ctx } from "../../../src/domain/kernel/context.ts";
import { readNotificationSettings } from "../../../src/domain/notifications/read-notification-settings.ts";
import { updateNotificationSettings } from "../../../src/domain/notifications/update-notification-settings.ts";
import { agentCtx } from "../../support/agent-ctx.ts";
import { getErrorCode, getErrorDetails } from "../../support/callers.ts";
import { insertTestAgent } from "../../support/factories.ts";
import { type MailMember, type MailWorld, openMailWorld } from "../../support/mail-world.ts";
import { lastAudit, personCtx, readEventTypes } from "../../support/person-ctx.ts";

let world: MailWorld;
let member: MailMember;
let ctx: Ctx;

beforeAll(async () => {
  world = await openMailWorld();
});

afterAll(() => world.close());

beforeEach(async () => {
  member = await world.createMember();
  ctx = openPerson(member);
});

function openPerson(who: MailMember): Ctx {
  return personCtx({ services: world.services, systemCtx: () => who.ctx }, who, { role: "viewer" });
}

const NOTHING = { alerts: false, questionMinutes: null, digest: "never", digestHour: 8, timeZone: "UTC" };

describe("notification settings", () => {
  it("are off until the person changes them, each alone, with an event and an audit row", async () => {
    expect(await readNotificationSettings(ctx)).toEqual({ ...NOTHING, digestDueAt: null });
    await updateNotificationSettings(ctx, { alerts: true });
    await updateNotificationSettings(ctx, { questionMinutes: 30 });
    const changed = await updateNotificationSettings(ctx, { digest: "weekly", timeZone: "Asia/Tokyo" });
    const wanted = {
      ...NOTHING,
      alerts: true,
      questionMinutes: 30,
      digest: "weekly",
      timeZone: "Asia/Tokyo",
    };
    expect(changed).toEqual({ ...wanted, digestDueAt: expect.any(Date) });
    expect(await readNotificationSettings(ctx)).toEqual(changed);
    expect(await lastAudit(world, ctx.workspaceId)).toMatchObject({
      action: "notification_settings.updated",
      target_id: member.id,
      changes: { digest: { from: "never", to: "weekly" }, timeZone: { from: "UTC", to: "Asia/Tokyo" } },
    });
    await updateNotificationSettings(ctx, { alerts: true });
    const [created, ...types] = await readEventTypes(world, member.id);
    expect(created).toBe("user.created");
    expect(types).toEqual(Array.from({ length: 3 }, () => "notification_settings.updated"));
  });

  it.each([
    ["questionMinutes", { questionMinutes: 0 }],
    ["questionMinutes", { questionMinutes: 1441 }],
    ["questionMinutes", { questionMinutes: 1.5 }],
    ["digestHour", { digestHour: 24 }],
    ["digestHour", { digestHour: -1 }],
    ["timeZone", { timeZone: "Europe/Atlantis" }],
    ["timeZone", { timeZone: "" }],
    ["timeZone", { timeZone: "+01:00" }],
    ["timeZone", { timeZone: "x".repeat(65) }],
  ])("refuse %s in %j", async (field, input) => {
    expect(await getErrorDetails(updateNotificationSettings(ctx, input))).toMatchObject({
      errors: [{ field }],
    });
    expect(await readNotificationSettings(ctx)).toMatchObject(NOTHING);
  });

  it("know a time zone by its other names", async () => {
    const changed = await updateNotificationSettings(ctx, { digest: "daily", timeZone: "Asia/Kolkata" });
    expect(changed.digestDueAt?.toISOString()).toMatch(/T02:30/);
  });

  it("are each person's own, and only people have some", async () => {
    const other = openPerson(await world.createMember(undefined, { workspaceId: member.workspaceId }));
    await updateNotificationSettings(ctx, { alerts: true });
    expect(await readNotificationSettings(other)).toMatchObject(NOTHING);
    const agent = agentCtx(
      { services: world.services, systemCtx: () => member.ctx },
      { id: await insertTestAgent(member.ctx), workspaceId: member.workspaceId },
    );
    for (const caller of [agent, member.ctx]) {
      expect(await getErrorCode(readNotificationSettings(caller))).toBe("forbidden");
      expect(await getErrorCode(updateNotificationSettings(caller, { alerts: true }))).toBe("forbidden");
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mintUnsubscribeLink } from "../../src/auth/unsubscribe/unsubscribe-link.ts";
import type { NotificationTopic } from "../../src/db/generated/enums.ts";
import { lastAudit } from "../support/person-ctx.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { type TestVisitor, getElementText, openVisitor } from "./support/test-visitor.ts";

const PATH = "/settings/notifications";
const FORM = { digest: "NEVER", digestHour: "8", timeZone: "UTC", questionMinutes: "15" };
const ALL = { alerts: "true", questions: "true", digest: "WEEKLY" };

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld();
});

afterAll(() => world.close());

async function readSettings(userId: string): Promise<unknown> {
  const [row] = await world.server.database.query(
    `SELECT alerts, question_minutes AS minutes, digest, digest_hour AS hour, time_zone AS zone
     FROM notification_settings WHERE user_id = $1`,
    [userId],
  );
  return row;
}

describe(PATH, () => {
  it("turns emails on and off, and shows what is on", async () => {
    const browser = await world.enter("viewer");
    const typed = { ...FORM, ...ALL, questionMinutes: "45", digestHour: "6", timeZone: "America/New_York" };
    expect((await browser.submit(PATH, typed)).location).toBe(`${PATH}?notice=saved`);
    const wanted = { alerts: true, minutes: 45, digest: "weekly", hour: 6, zone: "America/New_York" };
    expect(await readSettings(browser.person.id)).toEqual(wanted);
    const { text } = await browser.get(`${PATH}?notice=saved`);
    expect(text).toContain("Your notifications have been saved.");
    expect(text).toContain(`To ${browser.person.email}.`);
    expect(text).toMatch(/<option\s+value="America\/New_York"\s+selected/);
    expect(text).toContain("The next one comes");
    await browser.submit(PATH, FORM);
    expect(await readSettings(browser.person.id)).toMatchObject({
      alerts: false,
      minutes: null,
      digest: "never",
    });
    expect((await browser.get(PATH)).text).not.toContain("The next one comes");
  });

  it.each([
    ["questionMinutes", "0", "Minutes must be a whole number from 1 to 1440."],
    ["questionMinutes", "soon", "Minutes must be a whole number."],
    ["questionMinutes", "99999999999999999999", "Minutes must be a whole number."],
    ["digestHour", "24", "Hour must be a whole number from 0 to 23."],
    ["digest", "HOURLY", "How often must be one of the options."],
    ["timeZone", "Mars/Olympus", "Time zone must be a time zone"],
  ])("says what is wrong with %s %j, and keeps what was typed", async (field, value, error) => {
    const browser = await world.enter("viewer");
    const refused = await browser.submit(PATH, {
      ...FORM,
      questions: "true",
      alerts: "true",
      [field]: value,
    });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(error);
    expect(refused.text).toMatch(/<input[^>]*id="alerts"[^>]*checked/);
    expect(await readSettings(browser.person.id)).toBeUndefined();
  });
});

/** A person who wants everything, and the page that ends emails of a topic. */
async function subscribe(topic: NotificationTopic) {
  const browser = await world.enter("viewer");
  await browser.submit(PATH, { ...FORM, ...ALL });
  const ctx = world.server.systemCtx(world.workspaceId);
  const { path } = await mintUnsubscribeLink(ctx, { userId: browser.person.id, topic });
  return { person: browser.person, path, stranger: openVisitor(world.server.url) };
}

describe("/users/unsubscribe/:token", () => {
  it.each([
    ["alerts", { alerts: false, minutes: 15, digest: "weekly" }],
    ["waiting_questions", { alerts: true, minutes: null, digest: "weekly" }],
    ["digest", { alerts: true, minutes: 15, digest: "never" }],
  ] as const)(
    "ends %s and nothing else when the button is pressed, without a log-in",
    async (topic, left) => {
      const { person, path, stranger } = await subscribe(topic);
      for (let look = 0; look < 3; look++)
        expect((await stranger.get(path)).text).toContain(">Unsubscribe</button>");
      expect(await readSettings(person.id)).toMatchObject({ alerts: true, minutes: 15, digest: "weekly" });
      expect(getElementText(await stranger.submit(path, {}), "h1")).toBe("You are unsubscribed.");
      expect(await readSettings(person.id)).toMatchObject(left);
      expect(await lastAudit(world.server, world.workspaceId)).toMatchObject({
        ...{ action: "notification_settings.updated", target_id: person.id },
      });
      expect(getElementText(await stranger.submit(path, {}), "h1")).toBe("You are unsubscribed.");
    },
  );

  it.each(["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "takes what mail programs post as %s",
    async (type) => {
      const { person, path, stranger } = await subscribe("alerts");
      const body = type.startsWith("multipart")
        ? '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
        : "List-Unsubscribe=One-Click";
      const { status } = await stranger.send(path, {
        method: "POST",
        body,
        headers: { "content-type": type },
      });
      expect(status).toBe(200);
      expect(await readSettings(person.id)).toMatchObject({ alerts: false });
    },
  );

  it("shows strangers no address", async () => {
    const { person, path, stranger } = await subscribe("digest");
    const { text } = await stranger.get(path);
    expect(text).not.toContain(person.email);
    expect(text).toMatch(/\*\*\*@/);
  });

  it("ends nothing after sixty days, for who is gone, and for an unknown link", async () => {
    const { person, path, stranger } = await subscribe("alerts");
    await world.server.database.query("UPDATE unsubscribe_link SET expires_at = now() WHERE user_id = $1", [
      person.id,
    ]);
    for (const unknown of [path, "/users/unsubscribe/x", `/users/unsubscribe/${"x".repeat(43)}`]) {
      expect(await endAt(stranger, unknown)).toBe("This link is no longer valid.");
    }
    expect(await readSettings(person.id)).toMatchObject({ alerts: true });
  });
});

async function endAt(visitor: TestVisitor, path: string): Promise<string> {
  return getElementText(await visitor.submit(path, {}), "h1");
}

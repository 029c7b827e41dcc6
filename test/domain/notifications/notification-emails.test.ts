import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createAlertRule } from "../../../src/domain/alerts/create-alert-rule.ts";
import { evaluateAlerts } from "../../../src/domain/alerts/evaluate-alerts.ts";
import { updateAlertRule } from "../../../src/domain/alerts/update-alert-rule.ts";
import { queueQuestionEmails } from "../../../src/domain/notifications/queue-question-emails.ts";
import { deactivateUser } from "../../../src/domain/users/deactivate-user.ts";
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

const RULE = { name: "Agents are gone", metric: "agents_offline", threshold: 0, cooldownSeconds: 0 } as const;

/** Says whether the workspace's agent is offline, and looks at the rules. */
async function lookAfter(minutes: number, presence: "online" | "offline"): Promise<void> {
  await world.database.query(
    "UPDATE agent SET presence = $2::presence, last_seen_at = now() WHERE workspace_id = $1",
    [scene.member.workspaceId, presence],
  );
  await evaluateAlerts(world.services, scene.after(minutes));
}

describe("emails about alerts", () => {
  it("go to who wants them when a rule fires and is resolved, five minutes apart", async () => {
    const other = await scene.createColleague();
    await scene.createColleague();
    await scene.want({ alerts: true });
    await scene.want({ alerts: true }, other);
    await scene.want({ alerts: true }, await world.createMember());
    await createAlertRule(scene.member.ctx, RULE);
    await lookAfter(1, "offline");
    const fired = await scene.deliverAfter(1);
    expect(fired.map(({ to }) => to)).toEqual([scene.member.email, other.email].toSorted());
    expect(fired[0]).toMatchObject({
      subject: "Alert: Agents are gone",
      text: expect.stringContaining("- Agents are gone: agents offline is 2, above 0, since 20"),
    });
    await lookAfter(2, "online");
    await lookAfter(3, "offline");
    await lookAfter(4, "online");
    expect(await scene.deliverAfter(5.9)).toEqual([]);
    const resolved = await scene.deliverAfter(6.1);
    expect(resolved).toHaveLength(2);
    expect(resolved[0]).toMatchObject({
      subject: "Resolved: Agents are gone",
      text: expect.stringContaining("- Agents are gone: resolved at 20"),
    });
    expect(await scene.deliverAfter(60)).toEqual([]);
  });

  it("are of several rules at once, those that fire first", async () => {
    await scene.want({ alerts: true });
    const { id } = await createAlertRule(scene.member.ctx, { ...RULE, name: "First" });
    await lookAfter(1, "offline");
    expect(await scene.deliverAfter(1)).toMatchObject([{ subject: "Alert: First" }]);
    for (const name of ["Second", "Third"]) await createAlertRule(scene.member.ctx, { ...RULE, name });
    await updateAlertRule(scene.member.ctx, { id, enabled: false });
    await lookAfter(3, "offline");
    const [email, ...more] = await scene.deliverAfter(7);
    expect(more).toEqual([]);
    expect(email?.subject).toBe("2 alerts firing, 1 resolved");
    expect(email?.text).toMatch(/- (Second|Third): .*\n- (Second|Third): .*\n- First: resolved/);
  });

  it("tell of what happens while one is being sent in another one", async () => {
    await scene.want({ alerts: true });
    await createAlertRule(scene.member.ctx, { ...RULE, name: "First" });
    await lookAfter(1, "offline");
    world.api.answer("broken");
    expect(await scene.deliverAfter(1)).toEqual([]);
    await createAlertRule(scene.member.ctx, { ...RULE, name: "Second" });
    await lookAfter(2, "offline");
    world.api.answer("taken");
    const texts = (await scene.deliverAfter(10)).map(({ text }) => text).join();
    expect(texts).toContain("- First: ");
    expect(texts).toContain("- Second: ");
  });

  it("are not sent of rules that are gone, to who does not want them any more, or who left", async () => {
    const left = await scene.createColleague();
    await scene.want({ alerts: true });
    await scene.want({ alerts: true }, left);
    const { id } = await createAlertRule(scene.member.ctx, RULE);
    await deactivateUser(scene.enter(), left.id);
    await lookAfter(1, "offline");
    await scene.want({ alerts: false });
    expect(await scene.deliverAfter(1)).toEqual([]);
    await scene.want({ alerts: true });
    await lookAfter(2, "online");
    await world.database.query("DELETE FROM alert_rule WHERE id = $1", [id]);
    expect(await scene.deliverAfter(20)).toEqual([]);
  });
});

function queueAfter(minutes: number): Promise<number> {
  return queueQuestionEmails(world.services, scene.after(minutes));
}

describe("emails about questions that wait", () => {
  it("tell each person once of a question, after the time that the person said", async () => {
    const patient = await scene.createColleague();
    await scene.want({ questionMinutes: 10 });
    await scene.want({ questionMinutes: 60 }, patient);
    await scene.ask("May I pay the <b>invoice</b>?\nhttps://evil.example");
    expect(await queueAfter(9.9)).toBe(0);
    expect(await queueAfter(10.1)).toBe(1);
    expect(await queueAfter(20)).toBe(0);
    const [email, ...more] = await scene.deliverAfter(20);
    expect(more).toEqual([]);
    expect(email).toMatchObject({ to: scene.member.email, subject: "An agent waits for an answer" });
    expect(email?.text).toContain(
      "- An agent, for 20 minutes: May I pay the <b>invoice</b>? https evil.example\n",
    );
    await scene.ask("And this one?");
    expect(await queueAfter(30)).toBe(1);
    expect((await scene.deliverAfter(30))[0]?.text).not.toContain("invoice");
    expect(await queueAfter(61)).toBe(1);
    expect(await scene.deliverAfter(61)).toMatchObject([
      { to: patient.email, subject: "2 questions wait for an answer" },
    ]);
  });

  it("tell those of five minutes at once, at most twenty of them", async () => {
    await scene.want({ questionMinutes: 1 });
    await scene.ask("The first one");
    expect(await queueAfter(2)).toBe(1);
    expect(await scene.deliverAfter(2)).toHaveLength(1);
    for (let nth = 1; nth <= 21; nth++) await scene.ask(`Question ${nth}.`);
    expect(await queueAfter(6.9)).toBe(0);
    expect(await queueAfter(7.1)).toBe(1);
    const [email] = await scene.deliverAfter(8);
    expect(email?.subject).toBe("More than 20 questions wait for an answer");
    expect(email?.text).toContain("There are more.");
    expect(email?.text.match(/^- /gm)).toHaveLength(20);
  });

  it("are not sent when they are answered meanwhile, and begin with what waits already", async () => {
    const id = await scene.ask("Still there?", 100);
    await scene.want({ questionMinutes: 10 });
    expect(await queueAfter(0)).toBe(1);
    await world.database.query("UPDATE message SET waiting = false WHERE id = $1", [id]);
    expect(await scene.deliverAfter(0)).toEqual([]);
    await world.database.query("UPDATE message SET waiting = true WHERE id = $1", [id]);
    await scene.want({ questionMinutes: 20 });
    expect(await queueAfter(30)).toBe(0);
    await scene.want({ questionMinutes: null });
    await scene.want({ questionMinutes: 20 });
    expect(await queueAfter(30)).toBe(1);
  });

  it("are five minutes apart, however often a person turns them off and on", async () => {
    await scene.ask("Well?", 100);
    for (const [minutes, queued] of [
      [0, 1],
      [1, 0],
      [4.9, 0],
      [5.1, 1],
    ] as const) {
      await scene.want({ questionMinutes: null });
      await scene.want({ questionMinutes: 1 });
      expect(await queueAfter(minutes)).toBe(queued);
      expect(await scene.deliverAfter(minutes)).toHaveLength(queued);
    }
  });

  it("stay in the workspace", async () => {
    await scene.ask("Mine", 100);
    await scene.want({ questionMinutes: 10 }, await world.createMember());
    expect(await queueAfter(0)).toBe(0);
  });

  it("are queued once by two nodes", async () => {
    await scene.ask("Once?", 100);
    await scene.want({ questionMinutes: 10 });
    const nodes = [world.services, world.second, world.services, world.second];
    const queued = await Promise.all(nodes.map((services) => queueQuestionEmails(services, scene.after(0))));
    expect(queued.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await scene.deliverAfter(0)).toHaveLength(1);
  });
});

describe("every such email", () => {
  it("has a link that ends those of its topic, for mail programs too, and stores only its hash", async () => {
    await scene.want({ questionMinutes: 10 });
    await scene.ask("Well?", 100);
    await queueAfter(0);
    const [email] = await scene.deliverAfter(0);
    const form = world.api.emails[0]?.form ?? {};
    const header = form["h:List-Unsubscribe"] ?? "";
    expect(header).toMatch(/^<https:\/\/ops\.example\.com\/users\/unsubscribe\/[\w-]{43}>$/);
    const link = header.slice(1, -1);
    expect(form["h:List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
    expect(email?.text).toContain(`Unsubscribe:\n${link}\n`);
    expect(form["html"]).toContain(`href="${link}"`);
    const rows = await world.database.query<{ row: string }>("SELECT l::text AS row FROM unsubscribe_link l");
    expect(rows).toHaveLength(1);
    expect(rows[0]?.row).not.toContain(link.slice(-43));
  });

  it("leaves no link of an attempt that failed", async () => {
    await scene.want({ questionMinutes: 10 });
    await scene.ask("Well?", 100);
    await queueAfter(0);
    world.api.answer("broken");
    await scene.deliverAfter(0);
    expect(await world.database.query("SELECT 1 FROM unsubscribe_link")).toEqual([]);
  });
});

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createAlertRule } from "../../src/domain/alerts/create-alert-rule.ts";
import { evaluateAlerts } from "../../src/domain/alerts/evaluate-alerts.ts";
import { updateAlertRule } from "../../src/domain/alerts/update-alert-rule.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { claimFrom, postAsAgent, postTask } from "./support/work.ts";

type NewRule = Parameters<typeof createAlertRule>[1];

const LONG: NewRule = {
  name: "A long queue",
  metric: "queue_depth",
  threshold: 2,
  watched: { queue: "bills" },
};
const FAILING: NewRule = {
  ...{ name: "Work fails", metric: "task_failure_rate", windowSeconds: 900, threshold: 0.1 },
};

describe.skipIf(LACKS_BROWSER)("the dashboard's alerts", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(async () => {
    await world.server.database.query("TRUNCATE alert_rule", []);
    await world.server.database.query("DELETE FROM collection_total WHERE collection = 'alert_rules'", []);
    expect(world.complaints.splice(0)).toEqual([]);
  });

  /** Reads the metrics of the rules, as is done every half minute. */
  async function look(): Promise<void> {
    await world.server.database.query("UPDATE alert_rule SET due_at = now()", []);
    await evaluateAlerts(world.server.services);
  }

  async function queueBills(count: number): Promise<void> {
    for (let nth = 0; nth < count; nth += 1) await postTask(world.agent, { title: "A bill", queue: "bills" });
  }

  /** Works on a task and fails. */
  async function fail(): Promise<void> {
    const id = await postTask(world.agent, { title: "Tip the waiter", queue: "tips" });
    const lease = await claimFrom(world.agent, "tips");
    const error = { message: "no coins", retryable: false };
    await postAsAgent(world.agent, `/tasks/${id}/fail`, { lease_token: lease, error });
  }

  function row(page: Page, name: string) {
    return page.getByRole("row").filter({ hasText: name });
  }

  it("lists rules, and shows new ones and what fires without a reload", async () => {
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/alerts`);
    await page.getByText("No alert rules yet").waitFor();
    expect(await page.getByRole("main").getByRole("link").allTextContents()).toEqual(["by email"]);
    await world.waitUntilLive(page);
    const { id } = await createAlertRule(world.ctx, LONG);
    await row(page, "A long queue").getByText("not read yet").waitFor();
    await row(page, "A long queue").getByText("queue bills").waitFor();
    await queueBills(3);
    await look();
    await row(page, "A long queue").getByText("firing").waitFor();
    await row(page, "A long queue").getByRole("cell", { name: "3", exact: true }).waitFor();
    await page.getByRole("link", { name: "Alerts 1 firing" }).first().waitFor();
    await page.getByLabel("State").selectOption("ok");
    await page.getByText("No alert rule matches these filters").waitFor();
    expect(new URL(page.url()).search).toBe("?state=OK");
    await page.getByRole("link", { name: "Show all alert rules" }).click();
    await page.getByLabel("Enabled").selectOption("Disabled");
    await page.getByText("No alert rule matches these filters").waitFor();
    await page.goto(`${world.network.url}/alerts/${id}`);
    await page.getByRole("heading", { level: 1, name: "A long queue" }).waitFor();
    await page.getByText("Fires above 2.").waitFor();
    const details = page.getByRole("region", { name: "Details" });
    await details.getByText(/^Last fired\d+ s ago|^Last firedjust now/).waitFor();
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    await page.getByRole("link", { name: "Show what it watches" }).click();
    await page.waitForURL("**/tasks?status=SUBMITTED&queue=bills");
    await page.goto(`${world.network.url}/alerts/${id}/edit`);
    await page.getByText("You need the admin role to edit alert rules.").waitFor();
    await page.goto(`${world.network.url}/alerts/new`);
    await page.getByText("You need the admin role to create alert rules.").waitFor();
    await page.context().close();
  });

  it("shows what fires on the start page, and the threshold on its chart, until it is resolved", async () => {
    await fail();
    const { id } = await createAlertRule(world.ctx, { ...FAILING, threshold: 1 });
    const { page } = await world.enter("viewer");
    const alerts = page.getByRole("region", { name: "Alerts", exact: true });
    const chart = page.getByRole("figure").filter({ hasText: "Failure rate" });
    await chart.getByText("Work fails: above 100 %", { exact: true }).waitFor();
    expect(await alerts.count()).toBe(0);
    await world.waitUntilLive(page);
    await updateAlertRule(world.ctx, { id, threshold: 0.1 });
    await look();
    await alerts.getByText("100 %").waitFor();
    await alerts.getByText("Failure rate of tasks, last 15 min, the workspace").waitFor();
    await alerts.getByText("above 10 %").waitFor();
    await chart.getByText("Work fails: above 10 %, firing").waitFor();
    await page.getByRole("link", { name: "Work fails" }).first().waitFor();
    await updateAlertRule(world.ctx, { id, threshold: 1 });
    await look();
    await alerts.waitFor({ state: "detached" });
    await chart.getByText("Work fails: above 100 %", { exact: true }).waitFor();
    await page.context().close();
  });

  it("creates a rule, with the filters and the window of its metric, and says what is wrong", async () => {
    await createAlertRule(world.ctx, LONG);
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/alerts`);
    await page.getByRole("link", { name: "New alert rule" }).click();
    await page.getByLabel("Name", { exact: true }).fill("A long queue");
    await page.getByLabel("Metric").selectOption("Approvals waiting (number)");
    for (const label of ["Of", "Queue", "Over the last"]) {
      expect(await page.getByLabel(label, { exact: true }).count()).toBe(0);
    }
    await page.getByLabel("Metric").selectOption("Failure rate of tasks (percent)");
    await page.getByLabel("Of", { exact: true }).selectOption("Agents with a label");
    await page.getByLabel("Label", { exact: true }).fill("team");
    await page.getByLabel("Value").fill("finance");
    await page.getByLabel("Queue").fill("bills");
    await page.getByLabel("Fires above (%)").fill("a lot");
    await page.getByLabel("Over the last", { exact: true }).fill("2");
    await page.getByLabel("Over the last, unit").selectOption("days");
    await page.getByLabel("For at least", { exact: true }).fill("90");
    await page.getByLabel("For at least, unit").selectOption("seconds");
    await page.getByRole("button", { name: "Create alert rule" }).click();
    await page.getByText("Enter a number of 0 or more.").waitFor();
    await page.getByText("Enter 1 min to 1 d, in whole minutes.").waitFor();
    await page.getByLabel("Fires above (%)").fill("12.5");
    await page.getByLabel("Over the last, unit").selectOption("hours");
    await page.getByRole("button", { name: "Create alert rule" }).click();
    await page.locator('[name="name"][aria-invalid="true"]').waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Finance fails");
    await page.getByRole("button", { name: "Create alert rule" }).click();
    await page.getByRole("heading", { level: 1, name: "Finance fails" }).waitFor();
    await page.getByText("agents with team = finance, queue bills").waitFor();
    await page.getByText("Fires above 12.5 % for 1 min 30 s.").waitFor();
    expect(await world.ctx.db.alertRule.findFirstOrThrow({ where: { name: "Finance fails" } })).toMatchObject(
      {
        ...{
          metric: "task_failure_rate",
          label: "team",
          labelValue: "finance",
          queue: "bills",
          agentId: null,
        },
        ...{ windowSeconds: 7200, threshold: 0.125, forSeconds: 90, cooldownSeconds: 300, enabled: true },
      },
    );
    await page.context().close();
  });

  it("creates a rule of a time, for one agent", async () => {
    await world.agent.send("/api/v1/agents/self", { method: "PUT", body: { name: "Billing bot" } });
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/alerts/new`);
    await page.getByLabel("Name", { exact: true }).fill("Deaf");
    await page.getByLabel("Metric").selectOption("Time to acknowledge commands (time)");
    await page.getByLabel("Of", { exact: true }).selectOption("One agent");
    await page.getByLabel("Agent", { exact: true }).click();
    await page.getByRole("option", { name: /Billing bot/ }).click();
    await page.getByLabel("Fires above", { exact: true }).fill("1.5");
    await page.getByLabel("Fires above, unit").selectOption("minutes");
    await page.getByRole("button", { name: "Create alert rule" }).click();
    await page.getByRole("heading", { level: 1, name: "Deaf" }).waitFor();
    await page.getByText("Fires above 1 min 30 s.").waitFor();
    await page.getByText("Billing bot").waitFor();
    expect(await world.ctx.db.alertRule.findFirstOrThrow({ where: { name: "Deaf" } })).toMatchObject({
      ...{ metric: "command_ack_p95", threshold: 90, windowSeconds: 900, label: null, queue: null },
      agentId: expect.any(String),
    });
    await page.context().close();
  });

  it("edits, disables and deletes a rule, but not over somebody else's change", async () => {
    const { id } = await createAlertRule(world.ctx, { ...FAILING, description: "for the night shift" });
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/alerts/${id}/edit`);
    await world.waitUntilLive(page);
    await page.getByText("Failure rate of tasks of the workspace.").waitFor();
    expect(await page.getByLabel("Metric").count()).toBe(0);
    await page.getByLabel("Fires above (%)").fill("20");
    await updateAlertRule(world.ctx, { id, threshold: 0.15 });
    await page.getByText(/changed this alert rule while you were editing/).waitFor();
    await page.getByRole("button", { name: "Discard my changes and edit version 2" }).click();
    await page.locator('[name="threshold"][value="15"]').waitFor();
    await page.getByLabel("Fires above (%)").fill("20");
    await page.getByLabel("Not again for", { exact: true }).fill("0");
    await page.getByRole("button", { name: "Save alert rule" }).click();
    await page.getByText("Fires above 20 %.").waitFor();
    await page.getByRole("button", { name: "Disable alert rule" }).click();
    await page.getByRole("button", { name: "Enable alert rule" }).waitFor();
    expect(await world.ctx.db.alertRule.findFirstOrThrow({ where: { id } })).toMatchObject({
      ...{ threshold: 0.2, windowSeconds: 900, cooldownSeconds: 0, enabled: false },
      description: "for the night shift",
    });
    await page.getByRole("link", { name: "Changes in the audit log" }).click();
    await page.getByText("alert_rule.updated").first().waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Delete alert rule" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete alert rule" }).click();
    await page.getByText("The alert rule Work fails has been deleted.").waitFor();
    expect(await world.ctx.db.alertRule.count({ where: { id } })).toBe(0);
    await page.goto(`${world.network.url}/alerts/${id}`);
    await page.getByRole("heading", { level: 1, name: "This alert rule doesn’t exist" }).waitFor();
    await page.context().close();
  });

  it("finds a rule by its ID", async () => {
    const { id } = await createAlertRule(world.ctx, LONG);
    const { page } = await world.enter("viewer");
    await page.keyboard.press("Control+k");
    await page.keyboard.type(id);
    await page.getByRole("option", { name: /Alert rule$/ }).click();
    await page.waitForURL(`**/alerts/${id}`);
    await page.getByRole("heading", { level: 1, name: "A long queue" }).waitFor();
    expect(world.complaints).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (_size, options) => {
    await queueBills(3);
    await fail();
    const { id } = await createAlertRule(world.ctx, LONG);
    await createAlertRule(world.ctx, { ...FAILING, name: `Fails ${"very ".repeat(15)}often` });
    await look();
    const { page } = await world.enter("admin", options);
    await page.getByRole("region", { name: "Alerts", exact: true }).waitFor();
    await expectAccessible(page);
    for (const [path, name] of [
      ["", "Alerts"],
      ["/new", "New alert rule"],
      [`/${id}`, "A long queue"],
      [`/${id}/edit`, "Edit A long queue"],
    ]) {
      await page.goto(`${world.network.url}/alerts${path}`);
      await page.getByRole("heading", { level: 1, name: name ?? "", exact: true }).waitFor();
      if (path === "") await row(page, "A long queue").getByText("firing").waitFor();
      await expectAccessible(page);
    }
    await page.context().close();
  });
});

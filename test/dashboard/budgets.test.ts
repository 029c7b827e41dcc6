import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createBudget } from "../../src/domain/budgets/create-budget.ts";
import { runBudgetOperation } from "../../src/domain/budgets/run-budget-operation.ts";
import { sweepBudgets } from "../../src/domain/budgets/sweep-budgets.ts";
import { updateBudget } from "../../src/domain/budgets/update-budget.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type NewBudget, callAs } from "../support/budget-scene.ts";
import { createRequest } from "../support/otlp.ts";
import type { TestClient } from "../support/test-client.ts";
import { createCallSpan } from "../support/trace-scene.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

const DAILY: NewBudget = {
  ...{ name: "daily dollars", scope: { type: "workspace" }, unit: "usd", limit: "10", period: "day" },
  ...{ defaultEstimate: "0.5", thresholds: [{ percent: 80, action: "warn" }] },
};

describe.skipIf(LACKS_BROWSER)("the dashboard's budgets", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let billing: TestClient;

  beforeAll(async () => {
    world = await openDashboardWorld();
    billing = await world.agentWith("gateway:check", "agents:write");
    await billing.send("/api/v1/agents/self", { method: "PUT", body: { name: "Billing bot" } });
  });

  afterAll(() => world.close());

  afterEach(async () => {
    await world.server.database.query("TRUNCATE budget CASCADE", []);
    await world.server.database.query("TRUNCATE reservation", []);
    await world.server.database.query("UPDATE workspace SET budget_generation = budget_generation + 1", []);
    await world.server.database.query("DELETE FROM collection_total WHERE collection = 'budgets'", []);
    expect(world.complaints.splice(0)).toEqual([]);
  });

  /** Reserves as the billing bot. @returns the reservation's id. */
  async function reserve(usd: string): Promise<string> {
    const { status, body } = await billing.post("/api/v1/budget_reservations", { amounts: { usd } });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body.reservation.id;
  }

  /** Ends a reservation that its agent never settled, as the sweep does. */
  async function expire(id: string): Promise<void> {
    const later = callAs(world.ctx, { now: new Date(Date.now() + 601_000) });
    await runBudgetOperation(later, { kind: "expire", id, callerId: null });
  }

  function sums(page: Page) {
    return page.getByRole("region", { name: "In this period" });
  }

  it("lists budgets with what is used of them, and shows new ones without a reload", async () => {
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/budgets`);
    await page.getByText("No budgets yet").waitFor();
    expect(await page.getByRole("main").getByRole("link").count()).toBe(0);
    await world.waitUntilLive(page);
    const { id } = await createBudget(world.ctx, DAILY);
    await createBudget(world.ctx, { ...DAILY, name: "each", scope: { type: "each_agent" } });
    const row = page.getByRole("row").filter({ hasText: "daily dollars" });
    await row.getByText("$10 a day").waitFor();
    await row.getByText("all agents together").waitFor();
    await row.getByText("nothing in this period").waitFor();
    await reserve("4");
    await row.getByRole("img", { name: "daily dollars: $0 used, $4 reserved, of $10" }).waitFor();
    const each = page.getByRole("row").filter({ hasText: "each agent" });
    await each.getByRole("img", { name: "Billing bot: $0 used, $4 reserved, of $10" }).waitFor();
    await page.goto(`${world.network.url}/budgets?enabled=no`);
    await page.getByText("No budget matches these filters").waitFor();
    await page.goto(`${world.network.url}/budgets/${id}`);
    await page.getByRole("heading", { level: 1, name: "daily dollars" }).waitFor();
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    await page.goto(`${world.network.url}/budgets/${id}/edit`);
    await page.getByText("You need the admin role to edit budgets.").waitFor();
    await page.context().close();
  });

  it("shows who holds something, what is assumed and when it runs out, and gives back what is assumed", async () => {
    const { id } = await createBudget(world.ctx, DAILY);
    const [assumed] = [await reserve("3"), await reserve("1.5")];
    await expire(assumed);
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/budgets/${id}`);
    await sums(page).getByText("$3 used, of which $3 are assumed, $1.50 reserved, of $10.").waitFor();
    await sums(page)
      .getByText(/at this pace/)
      .waitFor();
    const open = page.getByRole("region", { name: "Reservations" }).getByRole("listitem");
    const held = open.filter({ hasText: "held" });
    await held.getByText("$1.50").waitFor();
    await held.getByRole("link", { name: "Billing bot" }).waitFor();
    await open
      .filter({ hasText: "assumed" })
      .getByRole("button", { name: "Give back what was assumed of Billing bot" })
      .click();
    await page.getByRole("dialog").getByText("Billing bot never said what it used.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Give back" }).click();
    await page.getByText("What was assumed has been given back.").waitFor();
    await sums(page).getByText("$0 used, $1.50 reserved, of $10.").waitFor();
    await open.filter({ hasText: "assumed" }).waitFor({ state: "detached" });
    expect(await open.count()).toBe(1);
    await page.context().close();
  });

  it("lets viewers see what is assumed, but not give it back", async () => {
    const { id } = await createBudget(world.ctx, DAILY);
    await expire(await reserve("3"));
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/budgets/${id}`);
    await page.getByRole("region", { name: "Reservations" }).getByText("assumed").waitFor();
    expect(await page.getByRole("button", { name: /Give back/ }).count()).toBe(0);
    await page.context().close();
  });

  it("says what telemetry reports", async () => {
    const { id } = await createBudget(world.ctx, DAILY);
    const sender = await world.agentWith("traces:write");
    const sent = await sender.post("/v1/traces", createRequest([createCallSpan({ cost: 1.25 })]));
    expect(sent.status).toBe(200);
    await sweepBudgets(world.server.services);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/budgets/${id}`);
    await sums(page).getByText("$1.25 used, of which $1.25 are reported, of $10.").waitFor();
    await page.context().close();
  });

  it("creates a budget, after asking for the password again", async () => {
    const { page, person } = await world.enter("admin");
    await page.goto(`${world.network.url}/budgets`);
    await page.getByRole("link", { name: "New budget" }).click();
    await page.getByLabel("Name", { exact: true }).fill("finance tokens");
    await page.getByLabel("Counts the use of").selectOption("One value of a label");
    await page.getByLabel("Label", { exact: true }).fill("team");
    await page.getByLabel("Value").fill("finance");
    await page.getByLabel("Unit").selectOption("Tokens");
    await page.getByLabel("Starts anew each").selectOption("Month");
    await page.getByLabel("Time zone").fill("Europe/Berlin");
    await page.getByLabel("Limit").fill("a lot");
    await page.getByLabel("Estimate").fill("1000");
    await page.getByLabel("Percent").fill("90");
    await page.getByLabel("Then").selectOption("Ask a person first");
    await world.endSudo(person);
    await page.getByRole("button", { name: "Create budget" }).click();
    await page.getByRole("dialog").getByLabel("Password").fill(person.password);
    await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
    await page.locator('[name="limit"][aria-invalid="true"]').waitFor();
    await page.getByLabel("Limit").fill("2000000");
    await page.getByRole("button", { name: "Create budget" }).click();
    await page.getByRole("heading", { level: 1, name: "finance tokens" }).waitFor();
    await page.getByText("2,000,000 tokens a month, agents with team = finance").waitFor();
    expect(await world.ctx.db.budget.findFirstOrThrow({ where: { name: "finance tokens" } })).toMatchObject({
      ...{ scope: "label", scopeLabel: "team", scopeValue: "finance", unit: "tokens", period: "month" },
      ...{ limitAmount: 2_000_000n, defaultEstimate: 1000n, timeZone: "Europe/Berlin", onExpiry: "charge" },
      thresholds: [{ percent: 90, action: "ask" }],
    });
    await page.context().close();
  });

  it("edits, disables and deletes a budget, but not over somebody else's change", async () => {
    const { id } = await createBudget(world.ctx, { ...DAILY, description: "for refunds" });
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/budgets/${id}/edit`);
    await world.waitUntilLive(page);
    expect(await page.getByLabel("Unit").count()).toBe(0);
    await page.getByLabel("Limit").fill("20");
    await updateBudget(world.ctx, { id, limit: "15" });
    await page.getByText(/changed this budget while you were editing/).waitFor();
    await page.getByRole("button", { name: "Discard my changes and edit version 2" }).click();
    await page.locator('[name="limit"][value="15"]').waitFor();
    await page.getByLabel("Limit").fill("20");
    await page.getByRole("button", { name: "Remove threshold 1" }).click();
    await page.getByRole("button", { name: "Save budget" }).click();
    await page.getByText("$20 a day, all agents together").waitFor();
    await page.getByRole("button", { name: "Disable budget" }).click();
    await page.getByRole("button", { name: "Enable budget" }).waitFor();
    expect(await world.ctx.db.budget.findFirstOrThrow({ where: { id } })).toMatchObject({
      ...{ limitAmount: 20_000_000n, enabled: false, thresholds: [], description: "for refunds" },
    });
    await page.getByRole("button", { name: "Delete budget" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete budget" }).click();
    await page.getByText("The budget daily dollars has been deleted.").waitFor();
    expect(await world.ctx.db.budget.count({ where: { id } })).toBe(0);
    await page.goto(`${world.network.url}/budgets/${id}`);
    await page.getByRole("heading", { level: 1, name: "This budget doesn’t exist" }).waitFor();
    await page.context().close();
  });

  it("finds a budget by its ID", async () => {
    const { id } = await createBudget(world.ctx, DAILY);
    const { page } = await world.enter("viewer");
    await page.keyboard.press("Control+k");
    await page.keyboard.type(id);
    await page.getByRole("option", { name: /Budget$/ }).click();
    await page.waitForURL(`**/budgets/${id}`);
    await page.getByRole("heading", { level: 1, name: "daily dollars" }).waitFor();
    expect(world.complaints).toEqual([]);
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (_size, options) => {
    const { id } = await createBudget(world.ctx, DAILY);
    const [assumed] = [await reserve("3"), await reserve("1.5")];
    await expire(assumed);
    const { page } = await world.enter("admin", options);
    for (const [path, name] of [
      ["", "Budgets"],
      ["/new", "New budget"],
      [`/${id}`, "daily dollars"],
      [`/${id}/edit`, "Edit daily dollars"],
    ]) {
      await page.goto(`${world.network.url}/budgets${path}`);
      await page.getByRole("heading", { level: 1, name: name ?? "", exact: true }).waitFor();
      if (path !== "/new" && path !== `/${id}/edit`) await page.getByRole("img").first().waitFor();
      await expectAccessible(page);
    }
    await page.context().close();
  });
});

import type { Request } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createBudget } from "../../src/domain/budgets/create-budget.ts";
import { deleteBudget } from "../../src/domain/budgets/delete-budget.ts";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import type { PolicyRuleInput } from "../../src/domain/policies/policy-rule.ts";
import { CALLS } from "../support/budget-scene.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { check, refund } from "../support/gateway-scene.ts";
import type { TestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

const REFUNDS = { actions: ["tools/call"], resources: [{ type: "tool", name: "stripe.refund*" }] };

const POLICIES: readonly PolicyRuleInput[] = [
  { ...REFUNDS, name: "small refunds", effect: "allow", when: "has(args.amount) && args.amount <= 100" },
  { ...REFUNDS, name: "large refunds", effect: "deny", when: "has(args.amount) && args.amount > 500" },
  { ...REFUNDS, name: "foreign refunds", effect: "deny", when: 'args.currency == "EUR" && args.to > 3' },
  { ...REFUNDS, name: "tried out", effect: "ask", mode: "monitor", when: "has(args.amount)" },
];

describe.skipIf(LACKS_BROWSER)("the dashboard's decisions", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let billing: TestClient;
  let billingId: string;

  beforeAll(async () => {
    world = await openDashboardWorld();
    billing = await world.agentWith("gateway:check", "agents:write");
    const { body } = await billing.send("/api/v1/agents/self", {
      method: "PUT",
      body: { name: "Billing bot" },
    });
    billingId = body.agent.id;
    for (const policy of POLICIES) await createPolicy(world.ctx, policy);
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("shows a refusal in the list without a reload, and who asked for what and which policy denied it", async () => {
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/decisions`);
    await page.getByRole("heading", { level: 1, name: "Decisions" }).waitFor();
    const { id } = await check(billing, refund({ currency: "USD", amount: 900, to: { iban: "DE1" } }));
    const row = page.getByRole("row").filter({ hasText: "large refunds" });
    await row.getByText("denied", { exact: true }).waitFor();
    await row.getByRole("link", { name: "Billing bot" }).waitFor();
    await row.getByRole("link", { name: "stripe.refund tools/call" }).click();
    await page.waitForURL(`**/decisions/${id}`);
    await page.getByText("A policy denies it.").waitFor();
    const matched = page.getByRole("region", { name: "Policies" }).getByRole("listitem");
    expect(await matched.filter({ hasText: "large refunds" }).innerText()).toMatch(
      /denies\s*decided\s*version 1/,
    );
    expect(await matched.filter({ hasText: "tried out" }).innerText()).toMatch(/asks\s*monitored/);
    const tree = page.getByRole("group", { name: "Request as a tree" });
    await tree.locator("summary").filter({ hasText: "arguments" }).click();
    await tree.getByText("900", { exact: true }).waitFor();
    await tree.locator("summary").filter({ hasText: "to 1 member" }).click();
    await tree.getByText('"DE1"', { exact: true }).waitFor();
    const details = page.getByRole("region", { name: "Details" });
    await details.getByRole("link", { name: "Billing bot" }).waitFor();
    await details.getByText(id).waitFor();
    await page.context().close();
  });

  it("explains a decision part by part", async () => {
    const { id } = await check(billing, refund({ amount: 900, currency: "USD" }));
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/decisions/${id}`);
    const explanation = page.getByRole("region", { name: "Explanation" });
    await explanation.getByRole("button", { name: "Explain it part by part" }).click();
    await explanation.getByText("The agent is neither stopped nor paused.").waitFor();
    await explanation.getByText("4 of 4 enabled policies are about this.").waitFor();
    const small = explanation.getByRole("listitem").filter({ hasText: "args.amount <= 100" }).last();
    await small.getByText("doesn’t hold").waitFor();
    const large = explanation.getByRole("listitem").filter({ hasText: "args.amount > 500" }).last();
    await large.getByText("holds", { exact: true }).waitFor();
    await expectAccessible(page);
    expect(await page.getByRole("link", { name: "Write a policy for this" }).count()).toBe(0);
    await page.context().close();
  });

  it("says which budget had no room", async () => {
    const { id: budgetId } = await createBudget(world.ctx, { ...CALLS, limit: "1" });
    const asked = refund({ amount: 5, currency: "USD" });
    await check(billing, asked);
    const { id } = await check(billing, asked);
    await deleteBudget(world.ctx, { id: budgetId });
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/decisions/${id}`);
    await page.getByRole("button", { name: "Explain it part by part" }).click();
    const explanation = page.getByRole("region", { name: "Explanation" });
    const step = explanation.getByRole("listitem").filter({ hasText: "budget" });
    await step.waitFor();
    expect(await step.innerText()).toContain(
      "The budget “calls” had no room: limit 1 call, used 1 call, reserved 0 calls.",
    );
    await page.context().close();
  });

  it("says what monitored policies would do, and why a condition could not be evaluated", async () => {
    const allowed = await check(billing, refund({ amount: 5, currency: "USD" }));
    const broken = await check(billing, refund({ currency: "EUR", to: "three" }));
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/decisions/${allowed.id}`);
    await page.getByText("allowed", { exact: true }).waitFor();
    await page.getByText("would be asked about").waitFor();
    await page.goto(`${world.network.url}/decisions/${broken.id}`);
    await page.getByText("The condition of a policy that denies or asks couldn’t be evaluated.").waitFor();
    const matched = page.getByRole("region", { name: "Policies" }).getByRole("listitem");
    await matched.first().waitFor();
    expect(await matched.filter({ hasText: "foreign refunds" }).innerText()).toMatch(
      /denies\s*decided\s*version 1\s*Its condition couldn’t be evaluated for this request/,
    );
    await page.context().close();
  });

  it("links to the task, and shows characters that can't be seen as escapes", async () => {
    const { body } = await world.agent.post("/api/v1/tasks", { title: "Refund order 42", queue: "refunds" });
    const request = refund(
      { note: "pay \u202e001 RUE", html: "<b>x</b>" },
      { context: { task_id: body.task.id } },
    );
    const { id } = await check(billing, request);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/decisions/${id}`);
    const tree = page.getByRole("group", { name: "Request as a tree" });
    await tree.locator("summary").filter({ hasText: "arguments" }).click();
    await tree.getByText(String.raw`"pay \u{202e}001 RUE"`).waitFor();
    await tree.getByText('"<b>x</b>"').waitFor();
    await page.getByRole("link", { name: "View task" }).click();
    await page.getByRole("heading", { level: 1, name: "Refund order 42" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/tasks/${body.task.id}`);
    await page.context().close();
  });

  it("filters by outcome and agent in the URL, and finds a decision by its ID", async () => {
    const other = await world.agentWith("gateway:check");
    const { id } = await check(other, refund({ amount: 3 }));
    await check(billing, refund({ amount: 4 }));
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/decisions?outcome=ALLOW&agent=${billingId}`);
    const rows = page.getByRole("table", { name: "decisions" }).getByRole("row");
    await rows.filter({ hasText: "Billing bot" }).first().waitFor();
    expect(await rows.count()).toBe(1 + (await rows.filter({ hasText: "allowed" }).count()));
    expect(await rows.count()).toBe(1 + (await rows.filter({ hasText: "Billing bot" }).count()));
    await page.getByLabel("Outcome").selectOption("Asked");
    await page.getByText("No decision matches these filters").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type(id);
    await page.getByRole("option", { name: /Decision$/ }).click();
    await page.waitForURL(`**/decisions/${id}`);
    await page.context().close();
  });

  it("charts the outcomes of a period, and lists only what was decided in it", async () => {
    await check(billing, refund({ amount: 5, currency: "USD" }));
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/decisions?period=hour`);
    const chart = page.getByRole("figure").filter({ hasText: "Decisions of the last hour" });
    await chart.locator("summary").click();
    await chart
      .getByRole("cell", { name: /^[1-9]/ })
      .first()
      .waitFor();
    expect(await chart.getByRole("columnheader").allInnerTexts()).toEqual([
      "Time",
      "allowed",
      "asked",
      "denied",
    ]);
    const rows = page.getByRole("table", { name: "decisions" }).getByRole("row");
    await rows.nth(1).waitFor();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await page.goto(`${world.network.url}/decisions?period=${tomorrow}`);
    await page.getByText("No decision matches these filters").waitFor();
    expect(await page.getByLabel("Period").inputValue()).toBe(tomorrow);
    await page.getByLabel("Period").selectOption("any time");
    await rows.nth(1).waitFor();
    await page.context().close();
  });

  it("reads nothing again while it is paused, and at once when it goes on", async () => {
    await check(billing, refund({ amount: 5, currency: "USD" }));
    const { page } = await world.enter("viewer");
    await page.clock.install();
    await page.goto(`${world.network.url}/decisions`);
    await page
      .getByRole("link", { name: /stripe.refund/ })
      .first()
      .waitFor();
    let [reads, answers] = [0, 0];
    page.on("request", (request) => (reads += isReadOfDecisions(request) ? 1 : 0));
    page.on("requestfinished", (request) => (answers += isReadOfDecisions(request) ? 1 : 0));
    // From here on time passes only when told to, so that no read is asked for at the moment of the pause.
    await page.clock.pauseAt(Date.now() + 1000);
    await page.clock.runFor(6000);
    await expect.poll(() => reads).toBeGreaterThan(0);
    await expect.poll(() => answers).toBe(reads);
    await page.getByRole("button", { name: "Pause feed" }).click();
    await page.getByText("Paused.").waitFor();
    const readBefore = reads;
    // The chart's day ends later meanwhile.
    await page.clock.fastForward("01:00:00");
    await page.clock.runFor(12_000);
    await page.evaluate(() => fetch("/healthz"));
    expect(reads).toBe(readBefore);
    const { id } = await check(billing, refund({ amount: 6, currency: "USD" }));
    await page.clock.resume();
    await page.getByRole("button", { name: "Resume feed" }).click();
    await page.locator(`a[href="/decisions/${id}"]`).waitFor();
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (_size, options) => {
    const { id } = await check(billing, refund({ amount: 700, text: "long ".repeat(200) }));
    const { page } = await world.enter("viewer", options);
    await page.goto(`${world.network.url}/decisions`);
    await page
      .getByRole("link", { name: /stripe.refund/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/decisions/${id}`);
    await page.locator("summary").filter({ hasText: "arguments" }).click();
    await page.getByRole("button", { name: "Show all 1,002 characters" }).click();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/decisions/${crypto.randomUUID()}`);
    await page.getByRole("heading", { level: 1, name: "This decision doesn’t exist" }).waitFor();
    await page.context().close();
  });
});

function isReadOfDecisions(request: Request): boolean {
  return request.postData()?.includes("query Decision") === true;
}

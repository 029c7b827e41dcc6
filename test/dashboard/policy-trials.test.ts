import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import type { PolicyRuleInput } from "../../src/domain/policies/policy-rule.ts";
import { updatePolicy } from "../../src/domain/policies/update-policy.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { ASK, check } from "../support/gateway-scene.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";

const DOCKING: PolicyRuleInput = {
  name: "docking",
  effect: "deny",
  mode: "monitor",
  subjects: [
    { type: "agent", kind: "robot", labels: { site: "hall-a", team: "*" } },
    { type: "member", role: "admin" },
  ],
  actions: ["robot.dock", "custom.*"],
  resources: [{ type: "agent", name: "arm-*" }],
};

const PAYOUTS = [{ type: "tool", name: "payouts.*" }];

function payout(amount: number) {
  return {
    action: { name: "tools/call", properties: { arguments: { amount } } },
    resource: { type: "tool", id: "payouts.send" },
  };
}

describe.skipIf(LACKS_BROWSER)(
  "the dashboard's policies before and after they are saved",
  { timeout: 60_000 },
  () => {
    let world: DashboardWorld;

    beforeAll(async () => {
      world = await openDashboardWorld();
    });

    afterAll(() => world.close());

    afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

    it("says what a rule would have made of the last days, and of a request, before it is saved", async () => {
      const billing = await world.agentWith("gateway:check", "agents:write");
      await billing.send("/api/v1/agents/self", { method: "PUT", body: { name: "Billing bot" } });
      await createPolicy(world.ctx, {
        name: "payouts",
        effect: "allow",
        actions: ["tools/call"],
        resources: PAYOUTS,
      });
      for (const amount of [5, 900, 901]) await check(billing, payout(amount));
      const { page } = await world.enter("admin");
      await page.goto(`${world.network.url}/policies/new`);
      await page.getByLabel("Name", { exact: true }).fill("large payouts");
      await page.getByLabel("Effect").selectOption("Deny");
      await page.getByLabel("Tool", { exact: true }).fill("payouts.*");
      await page.getByLabel("When").fill("has(args.amount) && args.amount > 500");
      const simulation = page.getByRole("region", { name: "The last 7 days" });
      await simulation.getByRole("button", { name: "Simulate" }).click();
      await simulation.getByText("1 unchanged, 2 would be denied that were allowed.").waitFor();
      await simulation.getByRole("link", { name: "payouts.send" }).waitFor();
      const test = page.getByRole("region", { name: "Test a request" });
      await test.getByLabel("Request").fill("{");
      await test.getByLabel("Agent that asks").fill("Billing");
      await page.getByRole("option", { name: /Billing bot/ }).click();
      await test.getByRole("button", { name: "Test" }).click();
      await test.getByRole("alert").waitFor();
      await test.getByLabel("Request").fill(JSON.stringify(payout(700)));
      await test.getByRole("button", { name: "Test" }).click();
      await test.getByText("A policy denies it.").waitFor();
      const draft = test.getByRole("listitem").filter({ hasText: "large payouts (not saved)" }).last();
      await draft.getByText("args.amount > 500").waitFor();
      await draft.getByText("decided").waitFor();
      await page.getByLabel("When").fill("has(args.amount) && args.amount > 5000");
      await test.getByText("A policy denies it.").waitFor({ state: "detached" });
      await simulation.getByText("would be denied").waitFor({ state: "detached" });
      expect(await world.ctx.db.policy.count({ where: { name: "large payouts" } })).toBe(0);
      await page.context().close();
    });

    it("begins a policy with a decision, and tests it with its request", async () => {
      const billing = await world.agentWith("gateway:check", "agents:write");
      await createPolicy(world.ctx, {
        ...ASK,
        name: "mails",
        resources: [{ type: "tool", name: "mail.*" }],
        when: null,
      });
      const { id } = await check(billing, {
        ...{ action: { name: "tools/call", properties: { arguments: { to: "x" } } } },
        resource: { type: "tool", id: "mail.send" },
      });
      const { page } = await world.enter("admin");
      await page.goto(`${world.network.url}/decisions/${id}`);
      await page.getByRole("link", { name: "Write a policy for this" }).click();
      await page.locator('[name="name"][value="mail.send"]').waitFor();
      expect(await page.getByLabel("Tool", { exact: true }).inputValue()).toBe("mail.send");
      expect(await page.getByLabel("Handle").inputValue()).not.toBe("");
      const test = page.getByRole("region", { name: "Test a request" });
      expect(JSON.parse(await test.getByLabel("Request").inputValue())).toMatchObject({
        resource: { type: "tool", id: "mail.send" },
      });
      await test.getByRole("button", { name: "Test" }).click();
      await test.getByText("A person has to approve it first.").waitFor();
      await page.context().close();
    });

    it("tests a request against the policies as they are, for viewers too", async () => {
      const { page } = await world.enter("viewer");
      await page.goto(`${world.network.url}/policies/test`);
      const test = page.getByRole("region", { name: "Test a request" });
      await test.getByRole("button", { name: "Test" }).click();
      await test
        .getByRole("alert")
        .getByText(/agentId/)
        .waitFor();
      await expectAccessible(page);
      expect(await page.getByRole("link", { name: "New policy" }).count()).toBe(0);
      await page.context().close();
    });

    it("writes a comparison into the condition", async () => {
      const { page } = await world.enter("admin");
      await page.goto(`${world.network.url}/policies/new`);
      await page.getByLabel("When").fill("true || false");
      await page.getByText("Add a comparison").click();
      const row = page.getByRole("group", { name: "Comparison" });
      await row.getByLabel("What").fill("args.amount");
      await row.getByLabel("Value").fill("many");
      await row.getByRole("button", { name: "Add to the condition" }).click();
      await row.getByText("Enter a number.").waitFor();
      await row.getByLabel("Value").fill("500");
      await expectAccessible(page);
      await row.getByLabel("Value").press("Enter");
      expect(await page.getByLabel("When").inputValue()).toBe(
        "(true || false) && (!has(args.amount) || args.amount > 500)",
      );
      await row.getByLabel("What").fill("args.to");
      await row.getByLabel("Value").fill("7");
      await row.getByLabel("If it is missing").selectOption("The policy doesn’t apply");
      await row.getByRole("button", { name: "Add to the condition" }).click();
      expect(await page.getByLabel("When").inputValue()).toMatch(/ && has\(args\.to\) && args\.to > 7$/);
      await page.context().close();
    });

    it("reads a saved condition as rows, which can be edited and removed one by one", async () => {
      const when = `!has(args.amount) || args.amount > 500`;
      const hours = `now.getHours("Europe/Berlin") < 8 && args.names.size() > 3`;
      const { id } = await createPolicy(world.ctx, {
        ...{ ...DOCKING, name: "by rows", when: `(${when}) && ${hours}` },
      });
      const { page } = await world.enter("admin");
      await page.goto(`${world.network.url}/policies/${id}/edit`);
      const parts = page.getByRole("list", { name: "All of these must hold" }).getByRole("listitem");
      await parts.first().waitFor();
      expect(await parts.locator("> :first-child").allInnerTexts()).toEqual([
        "args.amount is more than 500, or is missing",
        "the hour in Europe/Berlin is less than 8",
        "args.names.size() > 3",
      ]);
      await parts
        .nth(2)
        .getByRole("button", { name: /Remove/ })
        .click();
      await parts.nth(1).getByRole("button", { name: /Edit/ }).click();
      const row = parts.getByRole("group", { name: "Comparison" });
      expect(await row.getByLabel("Time zone").inputValue()).toBe("Europe/Berlin");
      await row.getByLabel("What").fill("weekday");
      await row.getByLabel("Comparison").selectOption("is one of");
      await row.getByLabel("Values").fill("Sat, Sunday");
      await expectAccessible(page);
      await row.getByRole("button", { name: "Change the condition" }).click();
      await parts.getByText("the weekday in Europe/Berlin is one of Sat, Sun").waitFor();
      await page.getByRole("button", { name: "Save policy" }).click();
      await page.getByRole("heading", { level: 1, name: "by rows", exact: true }).waitFor();
      expect(await world.ctx.db.policy.findFirstOrThrow({ where: { id } })).toMatchObject({
        when: `(${when}) && now.getDayOfWeek("Europe/Berlin") in [6, 0]`,
      });
      await page.context().close();
    });

    it("shows what each version changed, and restores one", async () => {
      const { id } = await createPolicy(world.ctx, { ...DOCKING, name: "restored" });
      await updatePolicy(world.ctx, { id }, { ...DOCKING, name: "restored", mode: "enforce", when: "true" });
      const { page } = await world.enter("admin");
      await page.goto(`${world.network.url}/policies/${id}`);
      await page.getByRole("link", { name: "2: history" }).click();
      const versions = page.getByRole("list", { name: "Versions" }).locator("> li");
      await versions.first().getByText("enforced").waitFor();
      expect(await versions.first().innerText()).toMatch(
        /Mode\s+monitored\s+enforced\s+When\s+always\s+true/,
      );
      await versions.last().getByText("Created.").waitFor();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Restore version 1" }).click();
      expect(await page.getByRole("dialog").innerText()).toMatch(/When\s+true\s+always/);
      await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
      await page.getByText("Version 1 has been restored.").waitFor();
      await page.getByRole("link", { name: "3: history" }).click();
      await versions.nth(2).waitFor();
      const stored = await world.ctx.db.policy.findFirstOrThrow({ where: { id } });
      const { subjects, actions, resources } = DOCKING;
      expect(stored).toMatchObject({
        ...{ subjects, actions, resources, mode: "monitor", when: null, generation: 3 },
      });
      await page.context().close();
    });
  },
);

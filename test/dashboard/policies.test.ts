import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import type { PolicyRuleInput } from "../../src/domain/policies/policy-rule.ts";
import { updatePolicy } from "../../src/domain/policies/update-policy.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

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

describe.skipIf(LACKS_BROWSER)("the dashboard's policies", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  function rule(page: Page) {
    return page.getByRole("region", { name: "Rule" });
  }

  it("lists policies in words, and shows new ones without a reload", async () => {
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/policies`);
    await page.getByText("No policies yet").waitFor();
    expect(await page.getByRole("link", { name: /New policy|Write the first/ }).count()).toBe(0);
    await world.waitUntilLive(page);
    const { id } = await createPolicy(world.ctx, DOCKING);
    const row = page.getByRole("row").filter({ hasText: "docking" });
    await row.getByText("deny", { exact: true }).waitFor();
    await row.getByText("monitored").waitFor();
    await row
      .getByText("every robot with site = hall-a and a label team or members who are admin or above")
      .waitFor();
    await row.getByText("on agent arm-*").waitFor();
    await row.getByRole("link", { name: "docking" }).click();
    await page.waitForURL(`**/policies/${id}`);
    await rule(page).getByText("custom.*").waitFor();
    expect(await page.getByRole("main").getByRole("button").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Edit policy" }).count()).toBe(0);
    await page.goto(`${world.network.url}/policies/${id}/edit`);
    await page.getByText("You need the admin role to edit policies.").waitFor();
    await page.goto(`${world.network.url}/policies?mode=ENFORCE`);
    await page.getByText("No policy matches these filters").waitFor();
    await page.context().close();
  });

  it("creates a policy, after asking for the password again", async () => {
    const { page, person } = await world.enter("admin");
    await page.goto(`${world.network.url}/policies`);
    await page.getByRole("link", { name: "New policy" }).click();
    await page.getByLabel("Name", { exact: true }).fill("large refunds");
    await page.getByRole("button", { name: "Add subject" }).click();
    await page.getByLabel("Handle").fill("billing-*");
    await page.getByLabel("Labels").fill("team=finance");
    await page.getByLabel("Tool", { exact: true }).fill("stripe.refund*");
    await page.getByLabel("When").fill("has(args.amount) && args.amount > 500");
    await page.getByLabel("How many").selectOption("Two different people");
    await page.getByLabel("Seconds to decide").fill("120");
    await world.endSudo(person);
    await page.getByRole("button", { name: "Create policy" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Password").fill("not the password");
    await page.keyboard.press("Enter");
    await dialog.locator('[aria-invalid="true"]').waitFor();
    await dialog.getByLabel("Password").fill(person.password);
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("heading", { level: 1, name: "large refunds" }).waitFor();
    await rule(page).getByText("agent billing-* with team = finance").waitFor();
    await rule(page).getByText("2 different people who are operator or above approve.").waitFor();
    const stored = await world.ctx.db.policy.findFirstOrThrow({ where: { name: "large refunds" } });
    expect(stored).toMatchObject({
      effect: "ask",
      subjects: [{ type: "agent", name: "billing-*", labels: { team: "finance" } }],
      resources: [{ type: "tool", name: "stripe.refund*" }],
      when: "has(args.amount) && args.amount > 500",
      approval: { role: "operator", persons: 2, ttlSeconds: 120, uses: 1, scope: "exact", edits: false },
    });
    await page.context().close();
  });

  it("changes nothing if the password is not given", async () => {
    const { page, person } = await world.enter("admin");
    await page.goto(`${world.network.url}/policies/new`);
    await page.getByLabel("Name", { exact: true }).fill("never");
    await world.endSudo(person);
    await page.getByRole("button", { name: "Create policy" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Back" }).click();
    await page.getByRole("alert").getByText("Enter your password again to do this.").waitFor();
    expect(await world.ctx.db.policy.count({ where: { name: "never" } })).toBe(0);
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("never");
    await page.context().close();
  });

  it("says what is wrong with a condition while it is typed, and where", async () => {
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/policies/new`);
    const editor = page.getByLabel("When");
    await editor.fill("true &&\n  agent.nme == 'x'");
    await page.getByText(/No such (key|field).*nme/i).waitFor();
    await page.getByRole("button", { name: "line 2, character 9" }).click();
    const selected = await page.evaluate<string>("window.getSelection().toString()");
    expect(selected).toBe("nme");
    expect(await page.locator("mark").allTextContents()).toEqual(["nme"]);
    await expectAccessible(page);
    await page.getByLabel("Effect").selectOption("Deny");
    await editor.fill("args.amount > 5");
    await page.getByText(/Warning: denies every request without args.amount/).waitFor();
    expect(await editor.getAttribute("aria-invalid")).toBe("false");
    await page.getByLabel("Action 1").fill("tools/" + "*".repeat(20));
    await page.getByLabel("Name", { exact: true }).focus();
    await page.locator('[name="actions.0"][aria-invalid="true"]').waitFor();
    await page.context().close();
  });

  it("edits every part of a policy, and keeps what was not touched", async () => {
    const before = await createPolicy(world.ctx, { ...DOCKING, name: "kept", when: "agent.version != ''" });
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/policies/${before.id}/edit`);
    await page.getByLabel("Mode").selectOption("Enforce: it decides");
    await page.getByRole("button", { name: "Remove action 1" }).click();
    await page.getByRole("button", { name: "Save policy" }).click();
    await page.getByRole("heading", { level: 1, name: "kept", exact: true }).waitFor();
    const after = await world.ctx.db.policy.findFirstOrThrow({ where: { id: before.id } });
    const { subjects, resources, when, effect, description } = before;
    expect(after).toMatchObject({
      ...{ subjects, resources, when, effect, description, generation: 2 },
      mode: "enforce",
      actions: ["custom.*"],
    });
    await page.context().close();
  });

  it("does not save over somebody else's change, and says who made it", async () => {
    const { id } = await createPolicy(world.ctx, { ...DOCKING, name: "contested" });
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/policies/${id}/edit`);
    await world.waitUntilLive(page);
    await page.getByLabel("Description").fill("mine");
    await updatePolicy(world.ctx, { id }, { ...DOCKING, name: "contested", description: "theirs" });
    await page.getByText(/changed this policy while you were editing/).waitFor();
    await page.getByRole("button", { name: "Save policy" }).click();
    await page.getByRole("alert").getByText("The policy was changed.").waitFor();
    await page.getByRole("button", { name: "Discard my changes and edit version 2" }).click();
    await page.locator('[name="description"][value="theirs"]').waitFor();
    await page.getByLabel("Description").fill("mine, after theirs");
    await page.getByRole("button", { name: "Save policy" }).click();
    await page.getByText("mine, after theirs").waitFor();
    const { generation } = await world.ctx.db.policy.findFirstOrThrow({ where: { id } });
    expect(generation).toBe(3);
    await page.context().close();
  });

  it("deletes a policy after a confirmation", async () => {
    const { id } = await createPolicy(world.ctx, { ...DOCKING, name: "short-lived" });
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/policies/${id}`);
    await page.getByRole("button", { name: "Delete policy" }).click();
    await page.getByRole("dialog").getByText("What it denies may be allowed").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Delete policy" }).click();
    await page.getByText("The policy short-lived has been deleted.").waitFor();
    await page.waitForURL("**/policies");
    expect(await world.ctx.db.policy.count({ where: { id } })).toBe(0);
    await page.goto(`${world.network.url}/policies/${id}`);
    await page.getByRole("heading", { level: 1, name: "This policy doesn’t exist" }).waitFor();
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (size, options) => {
    const { id } = await createPolicy(world.ctx, { ...DOCKING, name: `seen ${size}`, when: "true || false" });
    const { page } = await world.enter("admin", options);
    for (const [path, name] of [
      ["", "Policies"],
      ["/new", "New policy"],
      [`/${id}`, `seen ${size}`],
      [`/${id}/edit`, `Edit seen ${size}`],
    ]) {
      await page.goto(`${world.network.url}/policies${path}`);
      await page.getByRole("heading", { level: 1, name: name ?? "", exact: true }).waitFor();
      await expectAccessible(page);
    }
    await page.context().close();
  });
});

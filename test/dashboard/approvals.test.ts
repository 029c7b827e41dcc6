import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sweepApprovals } from "../../src/domain/approvals/sweep-approvals.ts";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { check, refund } from "../support/gateway-scene.ts";
import type { TestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

const TOOL = { actions: ["tools/call"] };

describe.skipIf(LACKS_BROWSER)("the dashboard's approvals", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let agent: TestClient;

  beforeAll(async () => {
    world = await openDashboardWorld();
    await createPolicy(world.ctx, {
      ...{ ...TOOL, name: "refunds", effect: "ask" },
      resources: [{ type: "tool", name: "stripe.*" }],
    });
    await createPolicy(world.ctx, {
      ...{ ...TOOL, name: "transfers", effect: "ask" },
      resources: [{ type: "tool", name: "bank.*" }],
      approval: { edits: true },
    });
    await createPolicy(world.ctx, {
      ...{ ...TOOL, name: "deployments", effect: "ask" },
      resources: [{ type: "tool", name: "deploy.*" }],
      approval: { role: "admin", persons: 2, scope: "tool", uses: 3 },
    });
  });

  /** A fresh agent, so that nothing was asked or answered before. */
  beforeEach(async () => {
    agent = await world.agentWith("gateway:check", "agents:write");
    await agent.send("/api/v1/agents/self", { method: "PUT", body: { name: "Billing bot" } });
  });

  afterAll(() => world.close());

  afterEach(async () => {
    await world.server.database.query("TRUNCATE approval CASCADE", []);
    await world.server.database.query("DELETE FROM collection_total WHERE collection = 'approvals'", []);
    expect(world.complaints.splice(0)).toEqual([]);
  });

  /** Asks people. @returns the approval's id. */
  async function ask(args: object, tool = "stripe.refund"): Promise<string> {
    const { body } = await agent.post("/api/v1/gateway/check", { request: request(args, tool) });
    expect(body.check).toMatchObject({ status: "pending", approval: { status: "pending" } });
    return body.check.approval.id;
  }

  function request(args: object, tool = "stripe.refund") {
    return { ...refund(args), resource: { type: "tool", id: tool } };
  }

  async function open(page: Page, path = "/approvals"): Promise<void> {
    await page.goto(world.network.url + path);
    await page.getByRole("heading", { level: 1, name: "Approvals" }).waitFor();
    await world.waitUntilLive(page);
  }

  function items(page: Page) {
    return page.getByRole("list", { name: "Approvals" }).getByRole("listitem");
  }

  function decision(page: Page) {
    return page.getByRole("region", { name: "Decision" });
  }

  it("is decided by keys alone, live, and the agent may then do it", async () => {
    const { page } = await world.enter("operator");
    await open(page);
    await page.getByText("Nothing waits for approval").waitFor();
    const id = await ask({ amount: 900, order: "A-17" });
    await items(page).filter({ hasText: "Billing bot" }).waitFor();
    await page.getByRole("link", { name: "Approvals 1 waiting for approval" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/approvals/${id}`);
    await page.getByRole("heading", { level: 2, name: "stripe.refund" }).waitFor();
    const tree = page.getByRole("group", { name: "Arguments as a tree" });
    await tree.getByText("900", { exact: true }).waitFor();
    await page.getByRole("link", { name: "refunds" }).waitFor();
    await decision(page)
      .getByText(/Billing bot may do exactly this once within 5 min/)
      .waitFor();
    await page.keyboard.press("a");
    await page.getByRole("heading", { level: 2, name: "1 of 1 approved" }).waitFor();
    await page
      .getByRole("region", { name: "1 of 1 approved" })
      .getByText(/approved just now|approved \d/)
      .waitFor();
    await items(page).getByText("approved").waitFor();
    await page.getByRole("link", { name: "Approvals", exact: true }).first().waitFor();
    expect(await check(agent, request({ amount: 900, order: "A-17" }))).toMatchObject({
      status: "allowed",
      reason: "approval_granted",
    });
    await page.context().close();
  });

  it("marks what differs from the last approved call of the tool", async () => {
    const first = await ask({ amount: 900, order: "A-17", note: "old", to: { name: "Ada" } });
    const { page } = await world.enter("operator");
    await open(page, `/approvals/${first}`);
    await page.getByText(/nothing to compare with/).waitFor();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("It was approved.").waitFor();
    const second = await ask({ amount: 950, order: "A-17", urgent: true, to: { name: "Bob" } });
    await open(page, `/approvals/${second}`);
    const member = (name: string) =>
      page.getByRole("group", { name: "Arguments as a tree" }).locator("li").filter({ hasText: name }).last();
    await member("amount").getByText("changed").waitFor();
    expect(await member("amount").innerText()).toMatch(/950\s*changed\s*was\s*900/);
    expect(await member("urgent").innerText()).toMatch(/true\s*new/);
    expect(await member("note").innerText()).toMatch(/"old"\s*removed/);
    expect(await member("name").innerText()).toMatch(/"Bob"\s*changed\s*was\s*"Ada"/);
    expect(await member("order").innerText()).not.toMatch(/changed|new/);
    await page.context().close();
  });

  it("is approved with other arguments, where policy and agent allow it", async () => {
    const asked = await agent.post("/api/v1/gateway/check", {
      request: request({ amount: 800 }, "bank.transfer"),
      options: { accept_edits: true },
    });
    const { page } = await world.enter("operator");
    await open(page, `/approvals/${asked.body.check.approval.id}`);
    await page.getByRole("button", { name: "Edit and approve" }).waitFor();
    await page.keyboard.press("e");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Arguments").fill('{"amount": 80');
    await dialog.getByRole("button", { name: "Approve with these arguments" }).click();
    await dialog.locator('[name="arguments"][aria-invalid="true"]').waitFor();
    await dialog.getByLabel("Arguments").fill('{"amount": 80}');
    await dialog.getByRole("button", { name: "Approve with these arguments" }).click();
    await page.getByText("It was approved.").waitFor();
    const tree = page.getByRole("group", { name: "Arguments as a tree" });
    expect(await tree.getByRole("listitem").innerText()).toMatch(/80\s*changed\s*was\s*800/);
    await open(page, `/approvals/${await ask({ amount: 800 })}`);
    await page.getByRole("button", { name: "Approve" }).waitFor();
    await page.keyboard.press("e");
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.context().close();
  });

  it("is denied with a reason, which the agent reads", async () => {
    const id = await ask({ amount: 901 });
    const { page } = await world.enter("operator");
    await open(page, `/approvals/${id}`);
    await decision(page).waitFor();
    await page.keyboard.press("d");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Deny" }).click();
    await dialog.locator("input:invalid").waitFor();
    await dialog.getByLabel("Reason").fill("The parcel came back.");
    await dialog.getByRole("button", { name: "Deny" }).click();
    await page.getByText("It was denied.").waitFor();
    await decision(page).getByText("The parcel came back.").waitFor();
    expect(await decision(page).getByRole("button").count()).toBe(0);
    expect(await check(agent, request({ amount: 901 }))).toMatchObject({
      status: "denied",
      reason: "approval_denied",
    });
    await page.context().close();
  });

  it("takes two admins who press twice, and says what more than one call means", async () => {
    const id = await ask({ host: "web-1" }, "deploy.start");
    const { page: operator } = await world.enter("operator");
    await open(operator, `/approvals/${id}`);
    await decision(operator).getByText("People who are admin or above decide this.").waitFor();
    await operator.keyboard.press("a");
    expect(await decision(operator).getByRole("button").count()).toBe(0);
    const [{ page: one }, { page: other }] = [await world.enter("admin"), await world.enter("admin")];
    await open(one, `/approvals/${id}`);
    await decision(one)
      .getByText(/may do any tools\/call of deploy.start, whatever the arguments, up to 3 times/)
      .waitFor();
    await one.keyboard.press("a");
    await one.getByRole("button", { name: "Press again to approve" }).waitFor();
    await open(other, `/approvals/${id}`);
    await other.getByRole("heading", { level: 2, name: "0 of 2 approved" }).waitFor();
    await one.keyboard.press("a");
    await decision(one).getByText("Another person has to approve it, too.").waitFor();
    expect(await one.getByRole("button", { name: /pprove/ }).count()).toBe(0);
    await other.getByRole("heading", { level: 2, name: "1 of 2 approved" }).waitFor();
    await other.getByRole("button", { name: "Approve" }).click();
    await other.getByRole("button", { name: "Press again to approve" }).click();
    for (const page of [operator, one, other]) await page.getByText("It was approved.").waitFor();
    await other.getByRole("button", { name: "Revoke approval" }).click();
    await other.getByRole("dialog").getByLabel("Reason").fill("Wrong cluster");
    await other.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await one.getByText("Wrong cluster").waitFor();
    for (const page of [operator, one, other]) await page.context().close();
  });

  it("keeps what is no longer to be decided in its place, and goes to the next that waits", async () => {
    const ids = [await ask({ amount: 1 }), await ask({ amount: 2 }), await ask({ amount: 3 })];
    const { page } = await world.enter("operator");
    await open(page, `/approvals/${ids[0]}`);
    await decision(page).waitFor();
    const hrefs = () =>
      items(page)
        .getByRole("link")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(await hrefs()).toEqual(ids.map((id) => `/approvals/${id}`));
    await world.server.database.query(
      "UPDATE approval SET expires_at = now() - interval '1 second' WHERE id = ANY($1::uuid[])",
      [ids.slice(0, 2)],
    );
    await sweepApprovals(world.ctx.services);
    await decision(page).getByText("Nobody decided in time.").waitFor();
    await items(page).nth(1).getByText("expired").waitFor();
    const late = await ask({ amount: 4 });
    await items(page).nth(3).waitFor();
    expect(await hrefs()).toEqual([...ids, late].map((id) => `/approvals/${id}`));
    await page.keyboard.press("a");
    await page.keyboard.press("k");
    await page.keyboard.press(".");
    await page.waitForURL(`**/approvals/${ids[2]}`);
    await page.keyboard.press("j");
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("href"));
    expect(await focused()).toBe(`/approvals/${late}`);
    await page.getByRole("button", { name: "Remove 2 that no longer wait" }).click();
    await items(page).nth(2).waitFor({ state: "detached" });
    expect(await hrefs()).toEqual([ids[2], late].map((id) => `/approvals/${id}`));
    await page.getByLabel("Status").selectOption("Expired");
    await items(page).filter({ hasText: "expired" }).first().waitFor();
    expect(await items(page).count()).toBe(2);
    await page.context().close();
  });

  it("says in place why a click came too late", async () => {
    const id = await ask({ amount: 77 });
    const { page } = await world.enter("operator");
    await open(page, `/approvals/${id}`);
    await decision(page).waitFor();
    await world.server.database.query("UPDATE approval SET expires_at = now() - interval '1 second'", []);
    await page.getByRole("button", { name: "Approve" }).click();
    await decision(page).getByRole("alert").waitFor();
    expect(await check(agent, request({ amount: 77 }))).not.toMatchObject({ status: "allowed" });
    await page.context().close();
  });

  it("waits on the start page and in the palette, and lists its keys", async () => {
    const { body } = await world.agent.post("/api/v1/tasks", { title: "Refund order 42", queue: "refunds" });
    const asked = await agent.post("/api/v1/gateway/check", {
      request: { ...request({ amount: 12 }), context: { task_id: body.task.id } },
    });
    const { id } = asked.body.check.approval;
    const { page } = await world.enter("viewer");
    const waiting = page.getByRole("region", { name: "Waiting for approval" });
    expect(await waiting.getByRole("listitem").innerText()).toMatch(
      /stripe\.refund Billing bot[^]*min.* left/,
    );
    await page.keyboard.press("Control+k");
    await page.keyboard.type(id);
    await page.getByRole("option", { name: /Approval$/ }).click();
    await page.waitForURL(`**/approvals/${id}`);
    await page.getByRole("link", { name: "Refund order 42" }).waitFor();
    expect(await page.getByRole("button", { name: /Approve|Deny/ }).count()).toBe(0);
    await page.keyboard.press("?");
    await page
      .getByRole("dialog", { name: "Keyboard shortcuts" })
      .getByText("Open the next that waits")
      .waitFor();
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (_size, options) => {
    const first = await ask({ amount: 5, card: { password: "hunter2" }, note: "two\nlines" });
    const second = await ask({ amount: 6 }, "deploy.stop");
    const { page } = await world.enter("admin", options);
    await page.getByRole("region", { name: "Waiting for approval" }).waitFor();
    await expectAccessible(page);
    await open(page);
    await items(page).nth(1).waitFor();
    await expectAccessible(page);
    await items(page).first().getByRole("link").click();
    await page.waitForURL(`**/approvals/${first}`);
    await page.getByText("1 value is hidden as a secret").waitFor();
    await expectAccessible(page);
    await open(page, `/approvals/${second}`);
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByRole("button", { name: "Press again to approve" }).click();
    await page.getByRole("heading", { level: 2, name: "1 of 2 approved" }).waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/approvals/${crypto.randomUUID()}`);
    await page.getByRole("heading", { name: "This approval doesn’t exist" }).waitFor();
    await page.context().close();
  });
});

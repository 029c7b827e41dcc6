import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { ALLOW, check, refund } from "../support/gateway-scene.ts";
import type { TestClient } from "../support/test-client.ts";
import { insertTestExecution } from "../support/test-executions.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's executions", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let billing: TestClient;
  let agentId: string;

  beforeAll(async () => {
    world = await openDashboardWorld();
    await createPolicy(world.ctx, ALLOW);
    billing = await world.agentWith("gateway:check", "agents:write");
    const { body } = await billing.send("/api/v1/agents/self", {
      ...{ method: "PUT", body: { name: "Billing bot" } },
    });
    agentId = body.agent.id;
  });

  afterAll(() => world.close());

  afterEach(async () => {
    await world.server.database.query("TRUNCATE execution CASCADE", []);
    await world.server.database.query("DELETE FROM collection_total WHERE collection = 'executions'", []);
    expect(world.complaints.splice(0)).toEqual([]);
  });

  function insertUnknown(resourceId: string): Promise<string> {
    return insertTestExecution(world.ctx, { agentId, resourceId, status: "unknown", endedAt: new Date() });
  }

  /** An execution that policies allow. */
  async function execute(): Promise<{ id: string; fence: number; decision: string }> {
    const { id: decision } = await check(billing, refund({ amount: 5 }));
    const call = { decision_id: decision, request: refund({ amount: 5 }) };
    const opened = await billing.post("/api/v1/gateway/executions", call);
    expect({ status: opened.status, body: opened.body }).toMatchObject({ status: 201 });
    return { ...opened.body.execution, decision };
  }

  it("lists executions live, those of unknown outcome first, and a person says how one ended", async () => {
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/executions`);
    await page.getByText("No executions yet").waitFor();
    await world.waitUntilLive(page);
    await insertTestExecution(world.ctx, { agentId, resourceId: "stripe.charge", status: "completed" });
    const id = await insertUnknown("stripe.refund");
    const unknown = page.getByRole("region", { name: "Nobody knows how these ended" });
    await unknown.getByRole("link", { name: "stripe.refund" }).waitFor();
    expect(await unknown.getByText("stripe.charge").count()).toBe(0);
    const row = page.getByRole("row").filter({ hasText: "stripe.charge" });
    await row.getByText("completed", { exact: true }).waitFor();
    await unknown.getByRole("button", { name: "Resolve stripe.refund" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("It counts as completed.").waitFor();
    await dialog.getByLabel("Reason").fill("The money has arrived.");
    await dialog.getByRole("button", { name: "Resolve" }).click();
    await page.getByText("The execution has been resolved.").waitFor();
    await unknown.waitFor({ state: "detached" });
    await page.getByRole("link", { name: /stripe.refund/ }).click();
    await page.waitForURL(`**/executions/${id}`);
    await page.getByRole("region", { name: "Resolved" }).getByText("The money has arrived.").waitFor();
    expect(await page.getByRole("button", { name: /Resolve/ }).count()).toBe(0);
    expect(await world.ctx.db.execution.findFirstOrThrow({ where: { id } })).toMatchObject({
      ...{ status: "completed", resolvedReason: "The money has arrived." },
    });
    await page.context().close();
  });

  it("lets the agent do it again after a warning, and leads to the new execution", async () => {
    const { id, fence } = await execute();
    await billing.post(`/api/v1/gateway/executions/${id}/fail`, {
      ...{ fence, effect: "unknown", error: { message: "The bank did not answer." } },
    });
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/executions/${id}`);
    await page.getByText("Nobody knows whether it was done.").waitFor();
    await page.getByRole("button", { name: "Resolve stripe.refund" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Outcome").selectOption("It is to be done again");
    await dialog.getByText("it is then done twice").waitFor();
    await dialog.getByLabel("Reason").fill("It never reached the bank.");
    await dialog.getByRole("button", { name: "Let it be done again" }).click();
    await page.getByText("The agent may do it again.").waitFor();
    await page.getByText("The agent is doing it.").waitFor();
    const [retry] = await world.ctx.db.execution.findMany({ where: { retryOf: id } });
    await page.waitForURL(`**/executions/${retry?.id}`);
    await page.getByRole("link", { name: "another execution" }).click();
    await page.getByText("It is done again by another execution.").waitFor();
    expect(await page.getByRole("button", { name: /Resolve/ }).count()).toBe(0);
    await page.context().close();
  });

  it("shows how one failed, and is linked from its decision", async () => {
    const { id, fence, decision } = await execute();
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/decisions/${decision}`);
    const related = page.getByRole("region", { name: "Executions" });
    await related.getByText("started", { exact: true }).waitFor();
    await related.getByRole("link").click();
    await page.waitForURL(`**/executions/${id}`);
    await page.getByText("The agent is doing it.").waitFor();
    await world.waitUntilLive(page);
    const failed = await billing.post(`/api/v1/gateway/executions/${id}/fail`, {
      ...{ fence, effect: "none", error: { code: "card_declined", message: "The card was declined." } },
    });
    expect({ status: failed.status, body: failed.body }).toMatchObject({ status: 200 });
    await page.getByRole("region", { name: "Error" }).getByText("The card was declined.").waitFor();
    await page.getByText("It failed. Nothing was changed.").waitFor();
    expect(await page.getByRole("button", { name: /Resolve/ }).count()).toBe(0);
    await page.getByRole("link", { name: "View decision" }).click();
    await page.waitForURL(`**/decisions/${decision}`);
    await page.context().close();
  });

  it("filters by status and agent in the URL, and finds an execution by its ID", async () => {
    const id = await insertUnknown("stripe.refund");
    await insertTestExecution(world.ctx, { agentId, resourceId: "stripe.charge", status: "completed" });
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/executions?status=COMPLETED&agent=${agentId}`);
    const rows = page.getByRole("table", { name: "executions" }).getByRole("row");
    await rows.filter({ hasText: "stripe.charge" }).waitFor();
    expect(await rows.count()).toBe(2);
    expect(await page.getByText("Nobody knows how these ended").count()).toBe(0);
    await page.getByLabel("Status").selectOption("Failed");
    await page.getByText("No execution matches these filters").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type(id);
    await page.getByRole("option", { name: /Execution$/ }).click();
    await page.waitForURL(`**/executions/${id}`);
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (_size, options) => {
    const id = await insertUnknown(`stripe.${"refund_".repeat(20)}`);
    const { page } = await world.enter("operator", options);
    for (const path of ["", `/${id}`]) {
      await page.goto(`${world.network.url}/executions${path}`);
      await page
        .getByRole("button", { name: /Resolve/ })
        .first()
        .waitFor();
      await expectAccessible(page);
    }
    await page.getByRole("button", { name: /Resolve/ }).click();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/executions/${crypto.randomUUID()}`);
    await page.getByRole("heading", { level: 1, name: "This execution doesn’t exist" }).waitFor();
    await page.context().close();
  });
});

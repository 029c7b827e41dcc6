import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { ASK, refund } from "../support/gateway-scene.ts";
import type { TestClient } from "../support/test-client.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";

describe.skipIf(LACKS_BROWSER)("the card of an approval", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let agent: TestClient;

  beforeAll(async () => {
    world = await openDashboardWorld();
    agent = await world.agentWith("gateway:check");
    await createPolicy(world.ctx, ASK);
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("shows the last messages about the task for which the agent asks", async () => {
    const { body } = await world.agent.post("/api/v1/tasks", { title: "Refund order 42", queue: "refunds" });
    const task_id = body.task.id;
    for (const number of [1, 2, 3, 4, 5, 6]) {
      await world.agent.post("/api/v1/messages", { task_id, parts: [{ text: `Message ${number}.` }] });
    }
    const asked = await agent.post("/api/v1/gateway/check", {
      request: { ...refund({ amount: 900 }), context: { task_id } },
    });
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/approvals/${asked.body.check.approval.id}`);
    await world.waitUntilLive(page);
    const context = page.getByRole("region", { name: "Last messages about the task" });
    await context.getByText("Message 6.").waitFor();
    expect(await context.getByRole("listitem").allInnerTexts()).toEqual(
      [2, 3, 4, 5, 6].map((number) => expect.stringContaining(`Message ${number}.`)),
    );
    await expectAccessible(page);
    await world.agent.post("/api/v1/messages", { task_id, parts: [{ text: "The customer waits." }] });
    await context.getByText("The customer waits.").waitFor();
    await context.getByRole("link", { name: "View conversation" }).click();
    await page.waitForURL("**/conversations/*");
    await page.context().close();
  });

  it("names the agent for which another one asks, with a link", async () => {
    const { body } = await world.agent.post("/api/v1/agent_tokens", { agent: { handle: "billing-bot" } });
    const delegate = await world.agentWith("gateway:check", "gateway:delegate");
    const subject = { type: "agent", id: body.agent_id };
    const asked = await delegate.post("/api/v1/gateway/check", {
      request: { ...refund({ amount: 901 }), subject },
    });
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/approvals/${asked.body.check.approval.id}`);
    const details = page.getByRole("region", { name: "Details" });
    await details.getByRole("link", { name: "billing-bot" }).click();
    await page.getByRole("heading", { level: 1, name: "billing-bot" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/agents/${body.agent_id}`);
    await page.context().close();
  });
});

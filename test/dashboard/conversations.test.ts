import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { claimFrom, postTask, postAsAgent } from "./support/work.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's conversations", () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  it("shows messages live, and lets a user reply and answer", async () => {
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/conversations`);
    await page.getByRole("heading", { name: "No conversations yet" }).waitFor();
    await world.waitUntilLive(page);
    await expectAccessible(page);

    const id = await postTask(world.agent, { title: "Plan the route", queue: "routes" });
    const leaseToken = await claimFrom(world.agent, "routes");
    await postAsAgent(world.agent, "/messages", {
      task_id: id,
      parts: [{ text: "I am looking at the map." }],
    });
    await postAsAgent(world.agent, "/messages", {
      ...{ task_id: id, lease_token: leaseToken, kind: "question" },
      parts: [{ text: "North or south?" }, { data: { north: 12, south: 9 } }],
    });
    const row = page.getByRole("row").filter({ hasText: "Plan the route" });
    await row.getByText("question waits").waitFor();
    await expectAccessible(page);
    await row.getByRole("link", { name: /Plan the route/ }).click();

    const messages = page.getByRole("list", { name: "Messages", exact: true });
    await messages.getByText("North or south?").waitFor();
    await expectAccessible(page);
    await page.getByLabel("Write to everyone in this conversation").fill("The roads are wet.");
    await page.getByLabel("Write to everyone in this conversation").press("Control+Enter");
    await messages.getByText("The roads are wet.").waitFor();
    await messages.getByRole("button", { name: /^Answer.*Plan the route/ }).click();
    await messages.getByLabel("Your answer").fill("South");
    await messages.getByRole("button", { name: "Send answer" }).click();
    await messages.getByText("South", { exact: true }).waitFor();
    await messages.getByText("question answered").waitFor();
    const answer = await world.agent.get(`/api/v1/tasks/${id}`);
    expect(answer.body.task).toMatchObject({ status: "working" });
    await messages.getByRole("link", { name: "Plan the route" }).first().click();
    await page.getByRole("heading", { level: 1, name: "Plan the route" }).waitFor();
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("answers a question without a task on a phone", async () => {
    await postAsAgent(world.agent, "/messages", { kind: "question", parts: [{ text: "Is anybody there?" }] });
    const { page } = await world.enter("operator", PHONE);
    await page.goto(`${world.network.url}/conversations?waiting=yes`);
    await world.waitUntilLive(page);
    await page.getByRole("link", { name: /Is anybody there/ }).click();
    await page.getByRole("button", { name: /^Answer/ }).click();
    await page.getByLabel("Your answer").fill("Yes");
    await page.getByLabel("Your answer").press("Control+Enter");
    await page.getByText("question answered").waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/conversations?waiting=yes`);
    await page.getByRole("heading", { name: "No open questions" }).waitFor();
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("lets a viewer read but not write, and shows an error for unknown conversations", async () => {
    const sent = await postAsAgent(world.agent, "/messages", { parts: [{ text: "For everyone" }] });
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/conversations/${sent.body.message.context_id}`);
    await page.getByText("For everyone").waitFor();
    expect(await page.getByRole("textbox").count()).toBe(0);
    await page.goto(`${world.network.url}/conversations/${crypto.randomUUID()}`);
    await page.getByRole("heading", { level: 1, name: "This conversation doesn’t exist" }).waitFor();
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });
});

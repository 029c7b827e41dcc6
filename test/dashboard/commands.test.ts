import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setAgentLabels } from "../../src/domain/agents/set-agent-labels.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { insertTestAgent } from "../support/factories.ts";
import { postAsAgent } from "./support/work.ts";

const CAPABILITIES = [
  {
    type: "custom.open_gripper",
    params_schema: {
      type: "object",
      required: ["width", "side"],
      properties: {
        width: { type: "number", minimum: 1, maximum: 90, description: "In millimetres." },
        side: { type: "string", enum: ["left", "right"] },
        gently: { type: "boolean" },
        pose: { type: "object", required: ["x"], properties: { x: { type: "number" } } },
      },
    },
  },
];

describe.skipIf(LACKS_BROWSER)("the dashboard's commands", () => {
  let world: DashboardWorld;
  let agentId: string;

  beforeAll(async () => {
    world = await openDashboardWorld();
    const answer = await world.agent.send("/api/v1/agents/self", {
      method: "PUT",
      body: { name: "Arm 1", capabilities: CAPABILITIES },
    });
    agentId = answer.body.agent.id;
    await setAgentLabels(world.ctx, { id: agentId, labels: { site: "hall-a" } });
  });

  afterAll(() => world.close());

  it("issues a declared command with a form for its params, and follows it until it succeeds", async () => {
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/commands/new?agent=${agentId}`);
    await world.waitUntilLive(page);
    await page.getByLabel("Command").selectOption("custom.open_gripper");
    await page.getByLabel("width").fill("40");
    await page.getByLabel("side").selectOption("left");
    await page.getByLabel("gently").selectOption("Yes");
    await page.getByLabel("pose").fill("{");
    await page.getByRole("button", { name: "Issue command" }).click();
    await page.locator('[aria-invalid="true"][name="params.pose"]').waitFor();
    await page.getByLabel("pose").fill('{"x": "far"}');
    await page.getByRole("button", { name: "Issue command" }).click();
    await page.getByText(/x must be of the type number/).waitFor();
    await expectAccessible(page);
    await page.getByLabel("pose").fill('{"x": 3}');
    await page.getByRole("button", { name: "Issue command" }).click();

    await page.getByRole("heading", { level: 1, name: "custom.open_gripper" }).waitFor();
    const timeline = page.getByRole("region", { name: "Timeline" });
    const step = (name: string) => timeline.getByRole("listitem").filter({ hasText: name });
    await step("Delivered").getByText("not yet").waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    const next = await world.agent.get("/api/v1/agent_commands/next");
    expect(next.body.agent_commands).toMatchObject([
      { id, params: { width: 40, side: "left", gently: true, pose: { x: 3 } } },
    ]);
    await step("Delivered")
      .getByText(/ago|just now/)
      .waitFor();
    await postAsAgent(world.agent, `/agent_commands/${id}/ack`, { outcome: "accepted" });
    await step("Acknowledged")
      .getByText(/ago|just now/)
      .waitFor();
    await expectAccessible(page);
    await postAsAgent(world.agent, `/agent_commands/${id}/result`, {
      status: "succeeded",
      result: { open: 40 },
    });
    await step("Succeeded").waitFor();
    await page.getByRole("region", { name: "Result as JSON" }).getByText('"open": 40').waitFor();
    expect(await page.getByRole("button", { name: "Cancel command" }).count()).toBe(0);
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("issues one command to every agent with a label, and summarizes their statuses", async () => {
    const other = await world.agentWith("agent_commands:read", "agent_commands:ack");
    const self = await other.send("/api/v1/agents/self", { method: "PUT", body: { name: "Arm 2" } });
    for (const id of [agentId, self.body.agent.id]) {
      await setAgentLabels(world.ctx, { id, labels: { site: "hall-b" } });
    }
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/commands`);
    await page.getByRole("link", { name: "Issue command" }).click();
    await page.getByLabel("Send to").selectOption("many");
    await page.getByLabel("Expires").selectOption("in 1 minute");
    await insertTestAgent(world.ctx, "robot");
    await page.getByLabel("Kind").selectOption("Robots");
    await page.getByText(/waits until the agent reconnects, and expires in 1 minute/).waitFor();
    await expectAccessible(page);
    await page.getByLabel("Kind").selectOption("Any");
    await page.getByLabel("Labels").fill("site=hall-b");
    await page.getByText(/It will be sent to 2 agents: Arm \d, Arm \d/).waitFor();
    await page.getByLabel("Command").selectOption("agent.reload_config");
    await page.getByRole("button", { name: "Issue command" }).click();
    await page.getByRole("heading", { level: 1, name: "agent.reload_config to 2 agents" }).waitFor();
    await world.waitUntilLive(page);
    const standing = page.getByRole("region", { name: "Summary" });
    await standing.getByText("2", { exact: true }).first().waitFor();
    const next = await other.get("/api/v1/agent_commands/next");
    const [command] = next.body.agent_commands;
    await postAsAgent(other, `/agent_commands/${command.id}/ack`, { outcome: "rejected", reason: "Not now" });
    await standing.getByText("rejected").waitFor();
    await page.getByRole("cell", { name: "Not now" }).waitFor();
    await expectAccessible(page);
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("cancels a command on a phone, and finds it by the URL's filters", async () => {
    const issued = await postAsAgent(world.agent, "/operator/agent_commands", {
      ...{ agent_id: agentId, type: "custom.open_gripper" },
      params: { width: 10, side: "right" },
    });
    const [command] = issued.body.agent_commands;
    const { page } = await world.enter("operator", PHONE);
    await page.goto(`${world.network.url}/commands/${command.id}`);
    await world.waitUntilLive(page);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel command" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(/never will, even if it is offline/).waitFor();
    await dialog.getByRole("button", { name: "Cancel command" }).click();
    await page.getByText("The command has been canceled.").waitFor();
    await page.getByRole("region", { name: "Timeline" }).getByText("Canceled").waitFor();
    await page.goto(
      `${world.network.url}/commands?status=CANCELED&agent=${agentId}&type=custom.open_gripper`,
    );
    await page.getByRole("link", { name: "custom.open_gripper" }).waitFor();
    expect(await page.getByRole("row").filter({ hasText: "canceled" }).count()).toBe(1);
    await expectAccessible(page);
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("offers a viewer no action, and shows an error for unknown commands and batches", async () => {
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/commands`);
    await page.getByRole("table", { name: "commands" }).waitFor();
    expect(await page.getByRole("link", { name: "Issue command" }).count()).toBe(0);
    for (const [path, what] of [
      ["/commands/", "command"],
      ["/commands/batches/", "batch"],
    ]) {
      await page.goto(world.network.url + path + crypto.randomUUID());
      await page.getByRole("heading", { level: 1, name: `This ${what} doesn’t exist` }).waitFor();
    }
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { createTestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's robots", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  /** Creates a robot that has reported once. */
  async function openRobot(handle: string) {
    const { body } = await world.agent.post("/api/v1/agent_tokens", { agent: { handle, kind: "robot" } });
    const client = createTestClient(world.server.url, body.token);
    let seq = 0;
    async function report(state: object): Promise<void> {
      seq += 1;
      const sent = { state_seq: seq, operating_mode: "automatic", ...state };
      const { status } = await client.send("/api/v1/robots/self/state", { method: "PUT", body: sent });
      expect(status).toBe(200);
    }
    await report({ battery_percent: 80, position: { x: 1, y: 2, theta: 0, map_id: "hall" } });
    return { id: String(body.agent_id), report };
  }

  it("moves a robot on the map as it reports", async () => {
    const robot = await openRobot("amr-1");
    const { page } = await world.enter();
    await page.goto(`${world.network.url}/robots`);
    const map = page.getByRole("group", { name: "Robots on hall" });
    await map.getByRole("link", { name: "amr-1, idle, at 1.0 m, 2.0 m" }).waitFor();
    await world.waitUntilLive(page);
    await robot.report({ driving: true, position: { x: 7.5, y: 3, theta: 1.57, map_id: "hall" } });
    await map.getByRole("link", { name: "amr-1, executing, at 7.5 m, 3.0 m" }).click();
    await page.getByRole("heading", { level: 1, name: "amr-1" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/robots/${robot.id}`);
    await page.context().close();
  });

  it("shows a robot's errors, worst first, with suggestions", async () => {
    const robot = await openRobot("amr-2");
    const { page } = await world.enter();
    await page.goto(`${world.network.url}/robots/${robot.id}`);
    await page.getByText("It is not a safety-rated emergency stop").waitFor();
    await page.getByText("None reported.").waitFor();
    await world.waitUntilLive(page);
    await robot.report({
      emergency_stop: "manual",
      errors: [
        { type: "low-light", level: "warning" },
        { type: "blocked", level: "critical", hint: "Clear lane 5" },
      ],
    });
    await page.getByText("Suggestion: Clear lane 5").waitFor();
    const errors = page.getByRole("region", { name: "Errors" }).getByRole("listitem");
    expect(await errors.allInnerTexts()).toEqual([
      expect.stringMatching(/critical\s+blocked/),
      expect.stringMatching(/warning\s+low-light/),
    ]);
    await page.getByText("emergency stop, manual").waitFor();
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (size, options) => {
    const name = `seen-${size.replaceAll(" ", "-")}`;
    const robot = await openRobot(name);
    await robot.report({
      position: { x: 4, y: 2, map_id: "hall", localized: false },
      errors: [{ type: "blocked", level: "urgent", hint: "Clear the way" }],
    });
    const { page } = await world.enter("owner", options);
    await page.goto(`${world.network.url}/robots`);
    await page.getByRole("link", { name: `${name}, idle, at 4.0 m, 2.0 m, not localized` }).waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/robots/${robot.id}`);
    await page.getByText("Suggestion: Clear the way").waitFor();
    await page.getByText("No missions yet").waitFor();
    await expectAccessible(page);
    await page.context().close();
  });
});

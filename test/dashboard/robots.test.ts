import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { createTestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

const PLAN =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 90"><rect width="120" height="90" fill="#fff"/></svg>';

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

  it("lays a floor plan under the robots where map.yaml says, and lets it be replaced and deleted", async () => {
    const robot = await openRobot("amr-planned");
    await robot.report({ position: { x: 4, y: 3, theta: 0, map_id: "hall-p" } });
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/robots?map=hall-p`);
    await page.getByRole("button", { name: "Add floor plan" }).click();
    const dialog = page.getByRole("dialog", { name: "Floor plan of hall-p" });
    const file = { name: "hall.svg", mimeType: "image/svg+xml", buffer: Buffer.from(PLAN) };
    await dialog.getByLabel("Image").setInputFiles({ ...file, buffer: Buffer.from("no picture") });
    await dialog.getByLabel("map.yaml").fill("image: hall.png\nresolution: 0.1\norigin: [-2.0, -1.5, 0.0]\n");
    expect(await dialog.getByLabel("Origin y (m)").inputValue()).toBe("-1.5");
    await dialog.getByRole("button", { name: "Save floor plan" }).click();
    await dialog.locator(".field-error").getByText("must be a PNG or an SVG").waitFor();
    await expectAccessible(page);
    await dialog.getByLabel("Image").setInputFiles(file);
    await dialog.getByRole("button", { name: "Save floor plan" }).click();
    await dialog.waitFor({ state: "hidden" });
    const map = page.getByRole("group", { name: "Robots on hall-p" });
    const image = map.locator("image");
    await image.waitFor({ state: "attached" });
    // 12 m by 9 m, from its corner: the robot is in its middle.
    const [frame, mark] = [await image.boundingBox(), await map.locator("circle").first().boundingBox()];
    if (frame === null || mark === null) throw new Error("nothing is drawn");
    expect(mark.x + mark.width / 2).toBeCloseTo(frame.x + frame.width / 2, 0);
    expect(mark.y + mark.height / 2).toBeCloseTo(frame.y + frame.height / 2, 0);
    expect(frame.width / frame.height).toBeCloseTo(12 / 9, 1);
    const path = (await image.getAttribute("href")) ?? "";
    expect((await page.request.get(world.network.url + path)).status()).toBe(200);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Edit floor plan" }).press("Enter");
    await dialog.getByLabel("Origin x (m)").fill("-8");
    await dialog.getByLabel("Origin x (m)").press("Control+Enter");
    await dialog.waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Edit floor plan");
    await page.getByRole("button", { name: "Delete floor plan" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete floor plan" }).click();
    await page.getByRole("button", { name: "Add floor plan" }).waitFor();
    await image.waitFor({ state: "detached" });
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

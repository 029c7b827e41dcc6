import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { createTestClient } from "../support/test-client.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";

describe.skipIf(LACKS_BROWSER)("the choice of a robot for a mission", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("offers the robots that are nearest to the first step's place first, then those that can't work", async () => {
    for (const [handle, x, state] of [
      ["near-stuck", 4, { errors: [{ type: "blocked", level: "fatal" }] }],
      ["near-far", 30, {}],
      ["near-by", 7, {}],
      ["near-lost", 4, { position: { x: 4, y: 3, map_id: "another" } }],
    ] as const) {
      const { body } = await world.agent.post("/api/v1/agent_tokens", { agent: { handle, kind: "robot" } });
      const robot = createTestClient(world.server.url, body.token);
      const report = { state_seq: 1, operating_mode: "automatic", position: { x, y: 3, map_id: "hall-n" } };
      await robot.send("/api/v1/robots/self/state", { method: "PUT", body: { ...report, ...state } });
    }
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/missions/new`);
    await page.getByRole("button", { name: "Edit step 1 as JSON" }).click();
    await page.getByLabel("Params (JSON)").fill('{"station": "s", "x": 4, "y": 7, "map_id": "hall-n"}');
    await page.getByText("The nearest come first.").waitFor();
    await page.getByRole("combobox", { name: "Robot" }).pressSequentially("near-");
    const options = page.getByRole("listbox", { name: "Robot" }).getByRole("option");
    await options.getByText("near-stuck").waitFor();
    expect((await options.allInnerTexts()).map((text) => text.replace(/ \([a-z]+/, " ("))).toEqual([
      ...["near-by (, 5.0 m away)", "near-far (, 26.3 m away)", "near-lost ()", "near-stuck (, 4.0 m away)"],
    ]);
    await expectAccessible(page);
    await page.context().close();
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { deletePolicy } from "../../src/domain/policies/delete-policy.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type TestClient, createTestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

/** 2,000 robots. The first is the oldest. */
const FLEET = `
  WITH made AS (
    INSERT INTO agent (workspace_id, id, handle, name, kind, created_at)
    SELECT $1::uuid, gen_random_uuid(), 'shuttle-' || n, 'Shuttle ' || n, 'robot', now() - interval '1 day' + n * interval '1 s'
    FROM generate_series(1001, 3000) n RETURNING *)
  INSERT INTO robot (workspace_id, id, fleet, created_at) SELECT workspace_id, id, 'hall-a', created_at FROM made`;

type Step = { key: string; type: string; params: unknown };

function toPlan(steps: readonly Step[]): unknown[] {
  return steps.map(({ key, type, params }) => [key, type, params]);
}

describe.skipIf(LACKS_BROWSER)("the dashboard's missions", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  /** Creates a robot with a mission at its first step. */
  async function openMission(handle: string): Promise<{ id: string; robot: TestClient }> {
    const { body } = await world.agent.post("/api/v1/agent_tokens", { agent: { handle, kind: "robot" } });
    const robot = createTestClient(world.server.url, body.token);
    const state = { state_seq: 1, operating_mode: "automatic" };
    await robot.send("/api/v1/robots/self/state", { method: "PUT", body: state });
    const made = await world.agent.post("/api/v1/operator/missions", {
      ...{ title: `Errand of ${handle}`, kind: "transport", robot_id: body.agent_id },
      steps: ["drive", "lift"].map((key) => ({ key, type: "action", params: { to: "dock-1" } })),
    });
    expect(made.status).toBe(201);
    return { id: made.body.mission.id, robot };
  }

  it("leads from a mission that waits to its approval, which says who wants what of which robot", async () => {
    const { id: policyId } = await createPolicy(world.ctx, {
      ...{ name: "missions are asked about", effect: "ask", actions: ["mission.create"] },
    });
    const { id } = await openMission("amr-3");
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/missions`);
    await page.getByRole("link", { name: "awaiting approval" }).waitFor();
    await page.getByText("Errand of amr-3").click();
    await page.getByText("It is not assigned before they approve.").waitFor();
    await world.waitUntilLive(page);
    await expectAccessible(page);
    await page.getByRole("link", { name: "View approval" }).first().click();
    await page.getByRole("heading", { name: "Errand of amr-3 for amr-3" }).waitFor();
    await expectAccessible(page);
    const details = page.getByRole("region", { name: "Details" });
    expect(await details.innerText()).not.toContain("For");
    await page.getByText("created the mission").waitFor();
    await page.setViewportSize(PHONE.viewport);
    await expectAccessible(page);
    await page.getByRole("button", { name: /^Approve/ }).click();
    await page.getByText("It was approved.").waitFor();
    expect(await page.getByRole("button", { name: "Revoke" }).count()).toBe(0);
    await details.getByRole("link", { name: "Errand of amr-3" }).click();
    await page.getByText("assigned", { exact: true }).waitFor();
    expect((await world.agent.get(`/api/v1/missions/${id}`)).body.mission.status).toBe("assigned");
    await deletePolicy(world.ctx, { id: policyId });
    await page.context().close();
  });

  it("names the robots of which one would get a mission", async () => {
    const handles = ["amr-4", "amr-5"];
    for (const handle of handles) await openMission(handle);
    await world.ctx.db.agent.updateMany({
      where: { handle: { in: handles } },
      data: { labels: { hall: "b" } },
    });
    const { id: policyId } = await createPolicy(world.ctx, {
      ...{ name: "missions are asked about", effect: "ask", actions: ["mission.create"] },
    });
    const made = await world.agent.post("/api/v1/operator/missions", {
      ...{ title: "Sweep the hall", kind: "custom", selector: { labels: { hall: "b" } } },
      steps: [{ key: "sweep", type: "action" }],
    });
    const { id, approval_id: approval } = made.body.mission;
    const { page } = await world.enter("operator", PHONE);
    await page.goto(`${world.network.url}/approvals/${approval}`);
    await page.getByRole("heading", { name: "Sweep the hall for one of several robots" }).waitFor();
    const details = page.getByRole("region", { name: "Details" });
    for (const name of handles) await details.getByRole("link", { name }).waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/missions/${id}`);
    await page.getByText("waits for amr-4 or amr-5").waitFor();
    await deletePolicy(world.ctx, { id: policyId });
    await page.getByText("never assigned").waitFor();
    await page.context().close();
  });

  it("follows a mission, retries a step of it, and force-cancels it", async () => {
    const { id, robot } = await openMission("amr-1");
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/missions/${id}`);
    await page.getByText("assigned", { exact: true }).waitFor();
    await world.waitUntilLive(page);
    await robot.post(`/api/v1/missions/${id}/progress`, { steps: [{ key: "drive", status: "retriable" }] });
    await page.getByRole("button", { name: "Retry drive" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Retry step" }).click();
    await page.getByRole("button", { name: "Retry drive" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.getByRole("dialog").getByText("has 60 seconds to confirm").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel mission" }).click();
    await page.getByText("is being canceled").waitFor();
    await page.getByRole("button", { name: "Force cancel" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("The lane is closed");
    await page.getByRole("dialog").getByRole("button", { name: "Force cancel mission" }).click();
    await page.getByText("canceled", { exact: true }).waitFor();
    const { body } = await world.agent.get(`/api/v1/missions/${id}`);
    expect(body.mission.status).toBe("canceled");
    await page.context().close();
  });

  it("creates a mission without JSON, with errors at their fields", async () => {
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/missions/new`);
    await page.getByLabel("Title").fill("Fetch the crate");
    await page.getByLabel("Fleet").fill("no-robots");
    await page.getByRole("button", { name: "Add step" }).click();
    const second = page.getByRole("group", { name: "Step 2" });
    await second.getByLabel("Type").selectOption("ACTION");
    await page.getByRole("button", { name: "Add step" }).click();
    const third = page.getByRole("group", { name: "Step 3" });
    await third.getByLabel("Type").selectOption("WAIT");
    await page.getByRole("button", { name: "Create mission" }).click();
    await page.getByText("Enter a station, or choose a place on the map.").waitFor();
    await page.getByText("Enter what the robot should do.").waitFor();
    await page.getByText("Enter seconds above 0.").waitFor();
    await expectAccessible(page);
    await page.getByLabel("To station").fill("dock-2");
    await second.getByLabel("Action").fill("lift");
    await third.getByLabel("Seconds").fill("30");
    await page.getByRole("button", { name: "Create mission" }).click();
    await page.getByRole("heading", { level: 1, name: "Fetch the crate" }).waitFor();
    const { body } = await world.agent.get(`/api/v1/missions/${page.url().split("/").at(-1)}`);
    expect(body.mission).toMatchObject({ title: "Fetch the crate", kind: "transport" });
    expect(toPlan(body.mission.steps)).toEqual([
      ["move-dock-2", "move", { station: "dock-2" }],
      ["action-lift", "action", { action: "lift" }],
      ["wait", "wait", { seconds: 30 }],
    ]);
    await page.context().close();
  });

  it("creates a mission again, with params that have no fields as JSON", async () => {
    const steps = [
      { key: "drive", type: "move", params: { station: "dock-7" } },
      { key: "lift", type: "action", params: { action: "lift", height: 2 } },
    ];
    const made = await world.agent.post("/api/v1/operator/missions", {
      ...{
        title: "Restock",
        kind: "inspection",
        selector: { fleet: "hall-z", labels: { hall: "b" } },
        steps,
      },
    });
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/missions/${made.body.mission.id}`);
    await page.getByRole("link", { name: "Again" }).click();
    await page.getByLabel("To station").waitFor();
    expect(await page.getByLabel("Labels").inputValue()).toBe("hall=b");
    const second = page.getByRole("group", { name: "Step 2" });
    await second.getByLabel("Params (JSON)").fill("{height}");
    await page.getByRole("button", { name: "Create mission" }).click();
    await page.getByText("Enter valid JSON.").waitFor();
    await second.getByLabel("Params (JSON)").fill('{"action": "lift", "height": 3}');
    await page.getByLabel("Title").fill("Restock again");
    await page.getByRole("button", { name: "Create mission" }).click();
    await page.getByRole("heading", { level: 1, name: "Restock again" }).waitFor();
    const { body } = await world.agent.get(`/api/v1/missions/${page.url().split("/").at(-1)}`);
    expect(body.mission).toMatchObject({
      kind: "inspection",
      selector: { fleet: "hall-z", labels: { hall: "b" } },
    });
    expect(toPlan(body.mission.steps)).toEqual([
      ["drive", "move", { station: "dock-7" }],
      ["lift", "action", { action: "lift", height: 3 }],
    ]);
    await page.goto(`${world.network.url}/missions/new`);
    await page.getByLabel("Start from").selectOption({ label: "Restock again (2 steps)" });
    expect(await page.getByLabel("To station").inputValue()).toBe("dock-7");
    await page.context().close();
  });

  it("moves a robot to a place that is clicked on the map", async () => {
    const { robot } = await openMission("placed-1");
    const position = { x: 4, y: 6, map_id: "hall-q" };
    const state = { state_seq: 2, operating_mode: "automatic", position };
    await robot.send("/api/v1/robots/self/state", { method: "PUT", body: state });
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/missions/new`);
    await page.getByLabel("Title").fill("Go there");
    await page.getByLabel("Fleet").fill("no-robots");
    await page.getByRole("button", { name: "Choose on the map" }).click();
    const map = page.getByRole("group", { name: "Robots on hall-q" });
    await map.click({ position: { x: 60, y: 60 } });
    const dialog = page.getByRole("dialog");
    await expectAccessible(page);
    expect(Number(await dialog.getByLabel("x (m)").inputValue())).toBeLessThan(4);
    expect(Number(await dialog.getByLabel("y (m)").inputValue())).toBeGreaterThan(6);
    await dialog.getByLabel("x (m)").fill("2.5");
    await dialog.getByLabel("y (m)").fill("7");
    await dialog.getByLabel("y (m)").press("Enter");
    await page.getByText("2.5 m, 7 m on hall-q").waitFor();
    await page.getByRole("button", { name: "Create mission" }).click();
    await page.getByRole("heading", { level: 1, name: "Go there" }).waitFor();
    const { body } = await world.agent.get(`/api/v1/missions/${page.url().split("/").at(-1)}`);
    const at = { x: 2.5, y: 7, map_id: "hall-q" };
    expect(toPlan(body.mission.steps)).toEqual([["move", "move", { position: at }]]);
    await page.context().close();
  });

  it("assigns any of 2,000 robots, found by typing and chosen by keyboard", async () => {
    await world.server.database.query(FLEET, [world.workspaceId]);
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/missions/new`);
    await page.getByLabel("Title").fill("Fetch pallet 12");
    await page.getByLabel("To station").fill("dock-1");
    const field = page.getByRole("combobox", { name: "Robot" });
    const options = page.getByRole("listbox", { name: "Robot" }).getByRole("option");
    await field.focus();
    await field.press("ArrowDown");
    await page.getByRole("status").getByText("Type to find more.").waitFor();
    expect(await options.count()).toBe(20);
    await field.pressSequentially("shuttle 1001");
    await page.getByRole("option", { name: "Shuttle 1001 (hall-a, offline)", selected: true }).waitFor();
    expect(await options.count()).toBe(1);
    await expectAccessible(page);
    await field.press("Enter");
    await page.locator('input[name="robotId"][value="Shuttle 1001"]').waitFor();
    await page.getByLabel("Fleet").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Create mission" }).click();
    await page.getByRole("heading", { level: 1, name: "Fetch pallet 12" }).waitFor();
    await page.getByRole("link", { name: "Shuttle 1001" }).waitFor();
    await page.context().close();
  });

  it("lists the missions of a robot found by typing", async () => {
    await openMission("tug-1");
    await openMission("tug-2");
    const { page } = await world.enter("viewer", PHONE);
    await page.goto(`${world.network.url}/missions`);
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    const field = page.getByRole("combobox", { name: "Robot" });
    await field.fill("tug-2");
    await page.getByRole("option", { name: "tug-2" }).click();
    await page.getByRole("link", { name: "Errand of tug-1" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Errand of tug-2" }).waitFor();
    await field.fill("no such robot");
    await page.getByRole("status").getByText("No robot found.").waitFor();
    await expectAccessible(page);
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (size, options) => {
    const { id, robot } = await openMission(`seen-${size.replaceAll(" ", "-")}`);
    await robot.post(`/api/v1/missions/${id}/progress`, { steps: [{ key: "drive", status: "retriable" }] });
    const { page } = await world.enter("owner", options);
    await page.goto(`${world.network.url}/missions`);
    await page.getByRole("link", { name: `Errand of seen-${size.replaceAll(" ", "-")}` }).waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/missions/${id}`);
    await page.getByRole("button", { name: "Retry drive" }).waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/missions/new`);
    await page.getByLabel("Title").waitFor();
    await expectAccessible(page);
    await page.context().close();
  });
});

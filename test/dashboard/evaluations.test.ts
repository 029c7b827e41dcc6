import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

const RUNS = "/api/v1/eval_runs";

describe.skipIf(LACKS_BROWSER)("the dashboard's evaluations", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  async function startRun(name: string, baselineRunId: string | null = null): Promise<string> {
    const gate = { min_pass_rate: 0.9 };
    const { status, body } = await world.agent.post(RUNS, {
      ...{ suite: "invoices", name, gate, baseline_run_id: baselineRunId },
    });
    expect(status).toBe(201);
    return body.eval_run.id;
  }

  async function endRun(id: string, status: "passed" | "failed"): Promise<void> {
    const result = { item_key: "item-1", status, expected: { sum: 12 }, output: { sum: 21 } };
    const scores = [{ name: "exact", value: status === "passed" ? 1 : 0 }];
    expect(
      (await world.agent.post(`${RUNS}/${id}/results`, { results: [{ ...result, scores }] })).status,
    ).toBe(200);
    expect((await world.agent.post(`${RUNS}/${id}/complete`)).status).toBe(200);
  }

  it("shows the verdict when a run completes, regressions, and expected and actual output", async () => {
    const before = await startRun("Before");
    await endRun(before, "passed");
    const after = await startRun("After", before);
    const { page } = await world.enter();
    await page.goto(`${world.network.url}/evaluations`);
    const row = page.getByRole("row").filter({ hasText: "After" });
    await row.getByText("no verdict").waitFor();
    await world.waitUntilLive(page);
    await endRun(after, "failed");
    await row.getByText("failed", { exact: true }).waitFor();
    await row.getByRole("link", { name: "After" }).click();
    const why = page.locator(".notice").filter({ hasText: "Why it failed" }).getByRole("listitem");
    await why.waitFor();
    expect(await why.allInnerTexts()).toEqual(["pass_rate 0 < 0.9"]);
    await page.getByText("Regressions: 1").waitFor();
    await page.getByText("1.000 → 0.000 (−1.000)").waitFor();
    await page.getByRole("region", { name: "Results" }).getByText("item-1", { exact: true }).click();
    await page.getByRole("region", { name: "Expected of item-1" }).getByText('"sum": 12').waitFor();
    await page.getByRole("region", { name: "Output of item-1" }).getByText('"sum": 21').waitFor();
    await page.context().close();
  });

  it("compares any two runs of a suite, item by item and word by word", async () => {
    const results = [
      { item_key: "greeting", status: "passed", expected: "Hello Ada", output: "Hello Ada" },
      { item_key: "farewell", status: "failed", expected: "Bye Ada", output: "Bye" },
    ];
    const ids: string[] = [];
    for (const [name, outputs] of [
      ["First", results],
      ["Second", [{ ...results[0], status: "failed", output: "Hello Bob" }, results[1]]],
      ["Other items", [{ ...results[0], item_key: "thanks" }]],
    ] as const) {
      const { body } = await world.agent.post(RUNS, { suite: "letters", name });
      ids.push(body.eval_run.id);
      await world.agent.post(`${RUNS}/${body.eval_run.id}/results`, { results: outputs });
      await world.agent.post(`${RUNS}/${body.eval_run.id}/complete`);
    }
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/evaluations/${ids[1]}`);
    await page.getByText("Choose a run to compare it with.").waitFor();
    await page.getByLabel("Compare with").selectOption(ids[0] ?? "");
    await page.getByText("2 items in common").waitFor();
    await page.getByText("Regressions: 1").waitFor();
    const changes = page.getByRole("region", { name: "Compared with another run" });
    await changes.getByText("greeting", { exact: true }).click();
    const diff = page.getByRole("region", { name: "Changes of greeting" });
    await diff.waitFor();
    expect(await diff.locator("del").allInnerTexts()).toEqual(["Ada"]);
    expect(await diff.locator("ins").allInnerTexts()).toEqual(["Bob"]);
    await expectAccessible(page);
    await page.getByLabel("Compare with").selectOption(ids[2] ?? "");
    await page.getByText("Nothing can be compared: no item has a result in both runs.").waitFor();
    expect(await changes.locator(".notice-good").count()).toBe(0);
    await page.context().close();
  });

  it("shows how the scores of a suite went, run by run", async () => {
    for (const [name, value] of [
      ["Older", 0.25],
      ["Newer", 0.5],
    ] as const) {
      const { body } = await world.agent.post(RUNS, { suite: "scored", name });
      const scores = [{ name: "helpfulness", value }];
      const results = [{ item_key: "greeting", status: "passed", scores }];
      await world.agent.post(`${RUNS}/${body.eval_run.id}/results`, { results });
      await world.agent.post(`${RUNS}/${body.eval_run.id}/complete`);
    }
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/evaluations`);
    await page.getByRole("link", { name: "scored" }).first().click();
    const chart = page.getByRole("figure").filter({ hasText: "Mean scores of the suite’s latest 2 runs" });
    await chart.getByText("Show as table").click();
    await chart.getByRole("cell", { name: "0.25" }).waitFor();
    const cells = await chart.getByRole("cell").allInnerTexts();
    expect(cells.filter((text) => text.startsWith("0."))).toEqual(["0.25", "0.5"]);
    await expectAccessible(page);
    await page.context().close();
  });

  it("lets an operator make a run the baseline", async () => {
    const id = await startRun("Candidate");
    await endRun(id, "passed");
    const { page: seen } = await world.enter("viewer");
    await seen.goto(`${world.network.url}/evaluations/${id}`);
    await seen.getByText("All gate rules passed").waitFor();
    expect(await seen.getByRole("button", { name: "Make baseline" }).count()).toBe(0);
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/evaluations/${id}`);
    await page.getByRole("button", { name: "Make baseline" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make baseline" }).click();
    await page.getByText("baseline", { exact: true }).waitFor();
    const { body } = await world.agent.get(`${RUNS}/${id}`);
    expect(body.eval_run.is_baseline).toBe(true);
    for (const window of [seen, page]) await window.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (size, options) => {
    const before = await startRun(`Before ${size}`);
    await endRun(before, "passed");
    const id = await startRun(`After ${size}`, before);
    await endRun(id, "failed");
    const { page } = await world.enter("owner", options);
    await page.goto(`${world.network.url}/evaluations`);
    await page.getByRole("link", { name: `After ${size}` }).waitFor();
    await page.locator(".uplot").waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/evaluations/${id}`);
    await page.getByRole("region", { name: "Results" }).getByText("item-1", { exact: true }).click();
    await page.getByText("Regressions: 1").waitFor();
    await expectAccessible(page);
    await page.context().close();
  });
});

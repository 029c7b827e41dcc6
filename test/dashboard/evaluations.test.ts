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

import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createBudget } from "../../src/domain/budgets/create-budget.ts";
import { agentCtx } from "../support/agent-ctx.ts";
import { createMetricsRequest, createPoint, createSum } from "../support/agent-metrics.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { newTraceId, textAttribute } from "../support/otlp.ts";
import type { TestClient } from "../support/test-client.ts";
import { sendSpans as sendAt } from "../support/trace-scene.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { createStep, createUsage, sendSpans } from "./support/trace-scene.ts";
import { postTask } from "./support/work.ts";

const DAY_MS = 86_400_000;

describe.skipIf(LACKS_BROWSER)("the dashboard's costs", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  /** Creates an agent of this name. */
  async function enroll(name: string): Promise<{ client: TestClient; id: string }> {
    const client = await world.agentWith("traces:write", "agents:write");
    const { body } = await client.send("/api/v1/agents/self", { method: "PUT", body: { name } });
    return { client, id: body.agent.id };
  }

  /** The texts of the table's cells. */
  async function readRows(page: Page): Promise<string[]> {
    const rows = await page.getByRole("row").all();
    return Promise.all(
      rows.map(async (row) =>
        (await row.locator("th, td").allInnerTexts()).map((text) => text.trim()).join("|"),
      ),
    );
  }

  it("says how to send traces while there are no costs", async () => {
    const { page } = await world.enter("viewer");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("costs");
    await page.getByRole("option", { name: "Costs View" }).click();
    await page.waitForURL("**/costs");
    await page.getByRole("heading", { level: 2, name: "No costs in this period" }).waitFor();
    await page.getByText("POST /v1/traces").waitFor();
    expect(await page.getByRole("figure").count()).toBe(0);
    await page.context().close();
  });

  describe("of two agents", () => {
    let billingId: string;
    let taskId: string;

    beforeAll(async () => {
      const [billing, house] = [await enroll("Billing bot"), await enroll("=House bot")];
      billingId = billing.id;
      taskId = await postTask(world.agent, { title: "Refund order 5", queue: "refunds" });
      const task = textAttribute("aos.task_id", taskId);
      await sendSpans(billing.client, [
        createStep(newTraceId(), 1, { name: "refund", attributes: [...createUsage("gpt-5"), task] }),
      ]);
      await sendSpans(house.client, [createStep(newTraceId(), 1, { attributes: createUsage("house-7") })]);
      const { server, workspaceId } = world;
      const now = new Date(Date.now() - 3 * DAY_MS);
      const receipt = await sendAt(agentCtx(server, { id: billingId, workspaceId }, { now }), [
        createStep(newTraceId(), 1, { name: "earlier", at: -3 * DAY_MS, attributes: createUsage("gpt-5") }),
      ]);
      expect(receipt).toMatchObject({ accepted: 1 });
    });

    it("shows hours and days in UTC, wherever the browser is", async () => {
      const { page } = await world.enter("viewer", { timezoneId: "Pacific/Auckland" });
      await page.goto(`${world.network.url}/costs`);
      await page.locator(".chart canvas").waitFor();
      await page.getByText("Show as table").click();
      const table = page.getByRole("region", { name: "Cost of the last week, by day in UTC" });
      await table.getByRole("columnheader", { name: "Time (UTC)" }).waitFor();
      const days = Array.from({ length: 7 }, (_, at) => new Date(Date.now() - (6 - at) * DAY_MS));
      const names = days.map(
        (day) => `${day.toLocaleDateString("en", { dateStyle: "short", timeZone: "UTC" })}, 12:00 AM`,
      );
      const shown = await table.getByRole("rowheader").allInnerTexts();
      expect(shown.map((text) => text.replaceAll(/\s/g, " "))).toEqual(names);
      await page.context().close();
    });

    it("shows those first that cost most, says what has no price, and leads to their traces", async () => {
      const { page } = await world.enter("viewer");
      await page.goto(`${world.network.url}/costs`);
      const rows = page.getByRole("row");
      await rows.nth(2).waitFor();
      expect(await readRows(page)).toEqual([
        "Agent|Cost|Calls|Input|Cached input|Output",
        "Billing bot|$0.0047|2|2,000|1,600|400",
        "=House bot|no price|1|1,000|800|200",
      ]);
      await page.getByText("$0.0047 + 1 without a price in the last week.").waitFor();
      await page.getByText("No amount contains what 1 call without a price cost.").waitFor();
      await page.getByText("every 5 seconds by default").waitFor();
      await page.getByRole("link", { name: "Billing bot" }).click();
      await page.waitForURL(`**/traces?agent=${billingId}&from=*`);
      await page.getByRole("link", { name: "refund" }).waitFor();
      await page.getByRole("link", { name: "earlier" }).waitFor();
      expect(await page.getByRole("row").count()).toBe(3);
      await page.context().close();
    });

    it("shows budgets in dollars, and the limit of those that begin anew with each bar", async () => {
      const input = { scope: { type: "workspace" }, period: "day" } as const;
      for (const [name, limit] of [
        ["near", "0.005"],
        ["far", "50"],
      ] as const)
        await createBudget(world.ctx, { ...input, unit: "usd", defaultEstimate: "0.01", name, limit });
      await createBudget(world.ctx, { ...input, name: "of calls", limit: "5", unit: "calls" });
      const { page } = await world.enter("viewer");
      await page.goto(`${world.network.url}/costs`);
      const legend = page.getByRole("figure").getByRole("list");
      await legend.getByText("near: $0.005 a day").waitFor();
      expect(await legend.getByText("far").count()).toBe(0);
      const budgets = page.getByRole("region", { name: "Budgets" });
      await budgets.getByText("far: $50 a day, all agents together").waitFor();
      expect(await budgets.getByText("of calls").count()).toBe(0);
      await expectAccessible(page);
      await budgets.getByRole("link", { name: "near" }).click();
      await page.getByRole("heading", { level: 1, name: "near" }).waitFor();
      await page.context().close();
    });

    it("sums by model, by task and by time, over a period in the address", async () => {
      const { page } = await world.enter("viewer");
      await page.goto(`${world.network.url}/costs`);
      const rows = page.getByRole("row");
      await page.getByLabel("Sum by").selectOption("Model");
      await rows.filter({ hasText: /^gpt-5\s*\$0\.0047/ }).waitFor();
      await rows.filter({ hasText: /^house-7\s*no price/ }).waitFor();
      expect(await page.getByRole("table").getByRole("link").count()).toBe(0);
      await page.getByLabel("Sum by").selectOption("Day");
      await rows.nth(2).waitFor();
      expect(await readRows(page)).toEqual([
        expect.stringMatching(/^Day\|/),
        expect.stringContaining("|$0.00235 + 1 without a price|2|"),
        expect.stringContaining("|$0.00235|1|"),
      ]);
      await rows.nth(2).getByRole("link").click();
      await page.getByRole("link", { name: "earlier" }).waitFor();
      expect(await page.getByRole("row").count()).toBe(2);
      await page.goto(`${world.network.url}/costs?by=task&period=day`);
      await rows.filter({ hasText: "$0.00235" }).getByRole("link", { name: "Refund order 5" }).click();
      await page.waitForURL(`**/tasks/${taskId}`);
      await page.goto(`${world.network.url}/costs?period=day`);
      await rows.filter({ hasText: /^Billing bot\s*\$0\.00235/ }).waitFor();
      await page.getByRole("figure").getByText("Show as table").click();
      await page.getByRole("figure").getByRole("cell", { name: "$0.00235" }).waitFor();
      await page.context().close();
    });

    it("downloads the table as CSV, of which spreadsheets run nothing", async () => {
      const { page } = await world.enter("viewer");
      await page.goto(`${world.network.url}/costs`);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download as CSV" }).click(),
      ]);
      expect(download.suggestedFilename()).toBe("costs-by-agent.csv");
      const [header, billing, house] = (await readFile(await download.path(), "utf8")).split("\r\n");
      expect(header).toBe(
        "name,id,cost_usd,unpriced_calls,calls,input_tokens,cache_read_tokens,output_tokens," +
          "metric_input_tokens,metric_output_tokens,metric_cost_usd",
      );
      expect(billing).toBe(`Billing bot,${billingId},0.004700000000,0,2,2000,1600,400,0,0,0.000000000000`);
      expect(house).toMatch(
        /^'=House bot,[-0-9a-f]{36},0\.000000000000,1,1,1000,800,200,0,0,0\.000000000000$/,
      );
      await page.context().close();
    });

    it("leads admins from a model without a price to the form for it", async () => {
      const { page } = await world.enter("admin");
      await page.goto(`${world.network.url}/costs?by=model`);
      await page.getByRole("row", { name: "house-7" }).getByRole("link", { name: "Set price" }).click();
      await page.getByRole("heading", { level: 2, name: "Set a price" }).waitFor();
      expect(await page.getByLabel("Model").inputValue()).toBe("house-7");
      await page.goto(`${world.network.url}/costs?by=model`);
      await page.getByRole("row", { name: "gpt-5" }).waitFor();
      expect(await page.getByRole("link", { name: "Set price" }).count()).toBe(1);
      await page.context().close();
    });

    it("shows what agents' metrics say beside what is charged", async () => {
      const { client } = await enroll("Metrics bot");
      const kinds = { "gen_ai.token.type": "input", "gen_ai.response.model": "gpt-5" };
      const [tokens, cost] = [createPoint(kinds, { asInt: "1200" }), createPoint({}, { asDouble: 0.25 })];
      const metrics = [
        createSum("gen_ai.client.token.usage", [tokens]),
        createSum("claude_code.cost.usage", [cost]),
      ];
      const { status } = await client.post("/v1/metrics", createMetricsRequest(metrics));
      expect(status).toBe(200);
      const { page } = await world.enter("viewer");
      await page.goto(`${world.network.url}/costs?period=day`);
      await page.getByText("Agents’ own metrics say $0.25, 1,200 tokens").waitFor();
      const rows = await readRows(page);
      expect(rows[0]).toBe("Agent|Cost|Calls|Input|Cached input|Output|By metrics");
      expect(rows).toContain("Metrics bot|none charged|0|0|0|0|$0.25, 1,200 tokens");
      expect(rows).toContain("Billing bot|$0.00235|1|1,000|800|200|–");
      await page.context().close();
    });

    it.each([
      ["wide", {}],
      ["on a phone", PHONE],
    ])("is accessible, %s", async (_size, options) => {
      const { page } = await world.enter("viewer", options);
      for (const by of ["agent", "time"]) {
        await page.goto(`${world.network.url}/costs?by=${by}`);
        await page.getByRole("row").nth(2).waitFor();
        await page.locator(".chart-plot canvas").waitFor();
        await expectAccessible(page);
      }
      await page.context().close();
    });
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { newTraceId, textAttribute } from "../support/otlp.ts";
import type { TestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import {
  CHAT,
  OPEN,
  createStep,
  createUsage,
  sendRefund,
  sendSpans,
  toSpanId,
} from "./support/trace-scene.ts";
import { postTask } from "./support/work.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's traces", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let billing: TestClient;
  let billingId: string;

  beforeAll(async () => {
    world = await openDashboardWorld();
    billing = await world.agentWith("traces:write", "agents:write");
    const { body } = await billing.send("/api/v1/agents/self", {
      method: "PUT",
      body: { name: "Billing bot" },
    });
    billingId = body.agent.id;
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("lists a new trace without a reload, unless paused, and hides plumbing", async () => {
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces`);
    await page.getByText("No traces yet").waitFor();
    await sendRefund(billing, "refund order 1");
    await sendSpans(billing, [createStep(newTraceId(), 1, { name: "GET /health" })]);
    const row = page.getByRole("row").filter({ hasText: "refund order 1" });
    await row.getByText("failed").waitFor();
    expect(await page.getByRole("link", { name: "GET /health" }).count()).toBe(0);
    await row.getByText("1 error").waitFor();
    await row.getByRole("link", { name: "Billing bot" }).waitFor();
    await page.getByRole("button", { name: "Pause feed" }).click();
    await sendRefund(billing, "refund order 2");
    await page.getByLabel("Traces", { exact: true }).selectOption("All, with plumbing");
    await page.getByRole("link", { name: "GET /health" }).waitFor();
    await page.getByRole("link", { name: "refund order 2" }).waitFor();
    await sendRefund(billing, "refund order 3");
    await page.getByRole("button", { name: "Resume feed" }).click();
    await page.getByRole("link", { name: "refund order 3" }).click();
    await page.getByRole("heading", { level: 1, name: "refund order 3" }).waitFor();
    await page.context().close();
  });

  it("filters by agent, status and time in the URL", async () => {
    const other = await world.agentWith("traces:write");
    await sendSpans(other, [createStep(newTraceId(), 1, { name: "of another", attributes: CHAT })]);
    const traceId = await sendRefund(billing, "of billing");
    const { page } = await world.enter("viewer");
    const traces = `${world.network.url}/traces`;
    await page.goto(`${traces}?agent=${billingId}`);
    await page.getByRole("link", { name: "of billing" }).waitFor();
    expect(await page.getByRole("link", { name: "of another" }).count()).toBe(0);
    await page.goto(`${traces}?status=ERROR`);
    await page.getByRole("link", { name: "of billing" }).waitFor();
    expect(await page.getByRole("link", { name: "of another" }).count()).toBe(0);
    await page.goto(`${traces}?until=2020-01-01T00%3A00`);
    await page.getByText("No trace matches these filters").waitFor();
    await page.getByLabel("Arrived before").fill("2120-01-01T00:00");
    await page.getByRole("link", { name: "of another" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type(traceId);
    await page.getByRole("option", { name: /^of billing/ }).click();
    await page.waitForURL(`**/traces/${traceId}`);
    await page.context().close();
  });

  it("leads from a task to its trace, and from there to those of the same conversation", async () => {
    const id = await postTask(world.agent, { title: "Refund order 5", queue: "refunds" });
    const conversation = textAttribute("gen_ai.conversation.id", "talk & more");
    const ofTask = { name: "of the task", attributes: [...CHAT, conversation] };
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/tasks/${id}`);
    await page.getByRole("heading", { level: 1, name: "Refund order 5" }).waitFor();
    expect(await page.getByRole("region", { name: "Trace" }).count()).toBe(0);
    await sendSpans(billing, [createStep(id.replaceAll("-", ""), 1, ofTask)]);
    await sendSpans(billing, [createStep(newTraceId(), 1, { ...ofTask, name: "of the same talk" })]);
    await page.getByRole("region", { name: "Trace" }).getByRole("link", { name: "of the task" }).click();
    await page.getByRole("link", { name: "Traces of its conversation" }).click();
    await page.getByText("Showing traces of one conversation.").waitFor();
    await page.getByRole("link", { name: "of the same talk" }).waitFor();
    expect(await page.getByRole("row").count()).toBe(3);
    await page.context().close();
  });

  it("shows the spans of a trace below each other, and what is known of one", async () => {
    const traceId = await sendRefund(billing, "refund order 9");
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/agents/${billingId}?tab=traces`);
    await page.getByRole("link", { name: "refund order 9" }).click();
    await page.waitForURL(`**/traces/${traceId}`);
    const rows = page.getByRole("treegrid").getByRole("row");
    await rows.first().waitFor();
    const levels = await rows.evaluateAll((all) => all.map((row) => row.getAttribute("aria-level")));
    expect(levels).toEqual(["1", "2", "2"]);
    await rows.filter({ hasText: "chat gpt-5" }).click();
    const panel = page.getByRole("region", { name: "Chosen span" });
    await panel.getByRole("region", { name: "Attributes" }).getByText("gpt-5", { exact: true }).waitFor();
    await panel.getByRole("region", { name: "Events" }).getByText("first token", { exact: true }).waitFor();
    await panel.getByText("Prompts, answers and arguments are shown to operators and admins.").waitFor();
    expect(new URL(page.url()).search).toBe(`?span=${toSpanId(2)}`);
    await rows.filter({ hasText: "execute_tool refund" }).click();
    await panel.getByText("the card was declined").waitFor();
    await panel.getByRole("link", { name: "Billing bot" }).waitFor();
    await panel.getByRole("link", { name: "refund order 9" }).click();
    await panel.getByText("none: it is a root").waitFor();
    expect(new URL(page.url()).search).toBe(`?span=${toSpanId(1)}`);
    await page.locator("[role=treegrid]:focus").waitFor();
    await panel.getByRole("button", { name: "Close" }).click();
    await panel.waitFor({ state: "detached" });
    await page.locator("[role=treegrid]:focus").waitFor();
    await page.context().close();
  });

  it("shows the tokens and the cost of calls, and says which have no price", async () => {
    const [paid, unpriced] = [newTraceId(), newTraceId()];
    await sendSpans(billing, [
      createStep(paid, 1, { name: "paid work", attributes: createUsage("gpt-5") }),
      createStep(paid, 2, { parent: 1, name: "call of the house", attributes: createUsage("house-7") }),
    ]);
    await sendSpans(billing, [
      createStep(unpriced, 1, { name: "unpriced work", attributes: createUsage("house-7") }),
    ]);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces`);
    const cells = (name: string) => page.getByRole("row").filter({ hasText: name }).getByRole("cell");
    await cells("paid work").filter({ hasText: "$0.00235 + 1 without a price" }).waitFor();
    await cells("paid work")
      .filter({ hasText: /^2,400$/ })
      .waitFor();
    await cells("unpriced work")
      .filter({ hasText: /^no price$/ })
      .waitFor();
    await cells("unpriced work")
      .filter({ hasText: /^1,200$/ })
      .waitFor();
    await page.getByRole("link", { name: "unpriced work" }).click();
    const lead = page.locator(".page-head");
    await lead.getByText("1,200 tokens").waitFor();
    await lead.getByText("no price", { exact: true }).waitFor();
    expect(await page.getByText("$").count()).toBe(0);
    await page.goto(`${world.network.url}/traces/${paid}`);
    await lead.getByText("2,400 tokens").waitFor();
    await lead.getByText("$0.00235 + 1 without a price").waitFor();
    await page.getByRole("row").filter({ hasText: "paid work" }).click();
    const facts = page.getByRole("region", { name: "Chosen span" }).getByRole("definition");
    await facts.getByText("1,000 tokens (800 cached)").waitFor();
    await facts.getByText("200 tokens", { exact: true }).waitFor();
    await facts.getByText("$0.00235, by its price").waitFor();
    await page.getByRole("row").filter({ hasText: "call of the house" }).click();
    await facts.getByText("no price", { exact: true }).waitFor();
    expect(await facts.getByText("$").count()).toBe(0);
    await page.context().close();
  });

  it("shows content to operators, when asked, and says why there is none", async () => {
    const traceId = await sendRefund(billing, "refund order 10");
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/traces/${traceId}?span=${toSpanId(2)}`);
    const panel = page.getByRole("region", { name: "Chosen span" });
    const show = panel.getByRole("button", { name: "Show prompts, answers and arguments" });
    await show.waitFor();
    expect(await panel.getByText("Refund me.").count()).toBe(0);
    await show.click();
    await panel.getByText("Refund me.", { exact: true }).waitFor();
    const output = panel.getByRole("group", { name: "Output as a tree" });
    await output.getByText("Done.", { exact: true }).waitFor();
    await page.getByRole("row").filter({ hasText: "execute_tool refund" }).click();
    await show.click();
    await panel
      .getByText(
        "None is stored. The span was sent without or more than 14 days ago, or none is stored of its agent.",
      )
      .waitFor();
    await world.ctx.db.workspace.update({
      where: { id: world.workspaceId },
      data: { captureContent: "off" },
    });
    await page.reload();
    await show.click();
    await panel.getByText("None is stored: this workspace does not store content.").waitFor();
    await world.ctx.db.workspace.update({
      where: { id: world.workspaceId },
      data: { captureContent: "redacted" },
    });
    await page.context().close();
  });

  it("shows what spans say as text", async () => {
    const traceId = newTraceId();
    await sendSpans(billing, [
      createStep(traceId, 1, { name: '<img src=x onerror="alert(1)">\u202e', attributes: CHAT }),
    ]);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces/${traceId}`);
    const shown = String.raw`<img src=x onerror="alert(1)">\u{202e}`;
    await page.getByRole("heading", { level: 1, name: shown }).waitFor();
    await page.getByRole("row").getByText(shown).click();
    await page.getByRole("heading", { level: 2, name: shown }).waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("is accessible, %s", async (_size, options) => {
    const traceId = await sendRefund(billing, "refund order 12");
    await sendSpans(billing, [
      createStep(traceId, 5, { parent: 6, name: `long ${"name ".repeat(100)}`, ...OPEN }),
    ]);
    const { page } = await world.enter("operator", options);
    await page.goto(`${world.network.url}/traces`);
    await page.getByRole("link", { name: "refund order 12" }).first().waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/traces/${traceId}`);
    await page.getByRole("treegrid").waitFor();
    await expectAccessible(page);
    await page.getByRole("row").filter({ hasText: "chat gpt-5" }).click();
    await page.getByRole("button", { name: "Show prompts, answers and arguments" }).click();
    await page.getByText("Refund me.", { exact: true }).waitFor();
    await expectAccessible(page);
    await page.goto(`${world.network.url}/traces/${newTraceId()}`);
    await page.getByRole("heading", { level: 1, name: "This trace doesn’t exist" }).waitFor();
    await page.context().close();
  });
});

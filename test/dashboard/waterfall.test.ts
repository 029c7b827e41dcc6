import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { notePresence } from "../../src/domain/agents/note-presence.ts";
import { LACKS_BROWSER } from "../support/browser.ts";
import { newTraceId, textAttribute } from "../support/otlp.ts";
import type { TestClient } from "../support/test-client.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";
import {
  CHAT,
  FAILED,
  OPEN,
  createStep,
  createUsage,
  sendRefund,
  sendSpans,
  toSpanId,
} from "./support/trace-scene.ts";
import { claimFrom, postAsAgent, postTask } from "./support/work.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's waterfall", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let billing: TestClient;

  beforeAll(async () => {
    world = await openDashboardWorld();
    billing = await world.agentWith("traces:write");
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("says what has not arrived, and shows spans whose parents are missing or are themselves", async () => {
    const traceId = newTraceId();
    await sendSpans(billing, [
      createStep(traceId, 2, { parent: 1, name: "orphan", attributes: CHAT }),
      createStep(traceId, 3, { parent: 4, name: "hen" }),
      createStep(traceId, 4, { parent: 3, name: "egg" }),
    ]);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces/${traceId}`);
    await page.getByText("Incomplete: 1 parent has not arrived.").waitFor();
    await page
      .getByText("1 span names a span of its own below as its parent, and is shown without one.")
      .waitFor();
    const rows = page.getByRole("treegrid").getByRole("row");
    expect(await rows.evaluateAll((all) => all.map((row) => row.getAttribute("aria-level")))).toEqual([
      "1",
      "2",
      "1",
      "2",
    ]);
    await rows.filter({ hasText: `missing parent ${toSpanId(1)}` }).click();
    await page.getByText("Spans name it as their parent, but it has not arrived.").waitFor();
    await sendSpans(billing, [createStep(traceId, 1, { name: "late root" })]);
    await page.getByRole("heading", { level: 1, name: "late root" }).waitFor();
    await rows.filter({ hasText: "late root" }).waitFor();
    expect(await page.getByText("Incomplete").count()).toBe(0);
    await page.context().close();
  });

  it("lets open spans grow, until they end", async () => {
    const traceId = newTraceId();
    await sendSpans(billing, [createStep(traceId, 1, { name: "long work", attributes: CHAT, ...OPEN })]);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces/${traceId}`);
    const row = page.getByRole("row").filter({ hasText: "long work" });
    const took = row.getByRole("gridcell").nth(1);
    await took.filter({ hasText: /^1 min.*\+$/ }).waitFor();
    const before = (await took.textContent()) ?? "";
    await took.filter({ hasNotText: before }).waitFor();
    expect(await row.locator("[data-open]").count()).toBe(1);
    await sendSpans(billing, [createStep(traceId, 1, { name: "long work", attributes: CHAT })]);
    await took.filter({ hasText: "100 ms" }).waitFor();
    await page.getByText("ended").waitFor();
    await page.context().close();
  });

  it("adds spans that come to those that it has, without loading these again", async () => {
    const traceId = newTraceId();
    await sendSpans(billing, [createStep(traceId, 1, { name: "first", attributes: CHAT, ...OPEN })]);
    const { page } = await world.enter("viewer");
    let loads = 0;
    page.on("request", (request) => {
      if (request.postData()?.includes("TraceSkeletonPage") === true) loads++;
    });
    await page.goto(`${world.network.url}/traces/${traceId}`);
    const rows = page.getByRole("treegrid").getByRole("row");
    await rows.filter({ hasText: "first" }).waitFor();
    await world.waitUntilLive(page);
    await sendSpans(billing, [createStep(traceId, 2, { parent: 1, name: "second", ...OPEN })]);
    await rows.filter({ hasText: "second" }).waitFor();
    await sendSpans(billing, [
      createStep(traceId, 2, { parent: 1, name: "second", attributes: createUsage("gpt-5") }),
      createStep(traceId, 3, { parent: 2, name: "third" }),
    ]);
    await rows.filter({ hasText: "third" }).waitFor();
    const cells = rows.filter({ hasText: "second" }).getByRole("gridcell");
    expect((await cells.allTextContents()).slice(1, 3)).toEqual(["100 ms", "1,200 tokens · $0.00235"]);
    expect(loads).toBe(1);
    // One that began before all others moves them.
    await sendSpans(billing, [createStep(traceId, 4, { at: -60_000, name: "earlier" })]);
    await rows.filter({ hasText: "earlier" }).waitFor();
    expect(await rows.first().locator(".traces-name-text").textContent()).toBe("earlier");
    expect(loads).toBe(2);
    await page.context().close();
  });

  it("shows what each call used, and sums over calls as such", async () => {
    const traceId = newTraceId();
    const sum = createUsage("gpt-5").map((one) =>
      one["key"] === "gen_ai.operation.name" ? textAttribute("gen_ai.operation.name", "invoke_agent") : one,
    );
    await sendSpans(billing, [
      createStep(traceId, 1, { name: "all of it", attributes: sum }),
      createStep(traceId, 2, { parent: 1, name: "paid", attributes: createUsage("gpt-5") }),
      createStep(traceId, 3, { parent: 1, name: "house", attributes: createUsage("house-7") }),
      createStep(traceId, 4, { parent: 1, name: "nothing" }),
    ]);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces/${traceId}`);
    const used = (name: string) =>
      page.getByRole("treegrid").getByRole("row").filter({ hasText: name }).locator(".traces-used");
    await used("paid")
      .filter({ hasText: /^1,200 tokens · \$0\.00235$/ })
      .waitFor();
    await used("house")
      .filter({ hasText: /^1,200 tokens · no price$/ })
      .waitFor();
    expect(await used("nothing").textContent()).toBe("");
    expect(await used("paid").locator("[title]").getAttribute("title")).toBe("gpt-5");
    expect(await used("all of it").locator("[title]").getAttribute("title")).toBe(
      "a sum over the calls within",
    );
    await page.setViewportSize({ width: 375, height: 800 });
    await used("paid").waitFor({ state: "hidden" });
    await page.context().close();
  });

  it("says which spans are lost, until their agent comes back", async () => {
    const { systemCtx, services, database } = world.server;
    const agent = await world.agentWith("traces:write");
    const traceId = newTraceId();
    await sendSpans(agent, [createStep(traceId, 1, { name: "lost work", attributes: CHAT, ...OPEN })]);
    const trace = await systemCtx(world.workspaceId).db.trace.findFirstOrThrow({
      where: { rootName: "lost work" },
    });
    const see = async (ago: string) =>
      database.query("UPDATE agent SET last_seen_at = now() - $2::interval WHERE id = $1", [
        trace.agentId,
        ago,
      ]);
    await see("6 minutes");
    await notePresence(services);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces`);
    await page.getByRole("row").filter({ hasText: "lost work" }).getByText("lost", { exact: true }).waitFor();
    await page.goto(`${world.network.url}/traces/${traceId}`);
    const row = page.getByRole("treegrid").getByRole("row").filter({ hasText: "lost work" });
    const took = row.getByRole("gridcell").nth(1);
    await took.getByText("lost", { exact: true }).waitFor();
    await row.click();
    await page.getByText("lost: the agent that sent it is offline").waitFor();
    await world.waitUntilLive(page);
    await see("0 seconds");
    await notePresence(services);
    await took.filter({ hasText: /^1 min.*\+$/ }).waitFor();
    await page.getByText("open", { exact: true }).first().waitFor();
    expect(await page.getByText("lost", { exact: true }).count()).toBe(0);
    await page.context().close();
  });

  it("tells Agent Ops' own spans from others, and people who are waited for", async () => {
    const id = await postTask(world.agent, { title: "Refund order 7", queue: "waits" });
    const leaseToken = await claimFrom(world.agent, "waits");
    await postAsAgent(world.agent, "/messages", {
      ...{ task_id: id, lease_token: leaseToken, kind: "question", parts: [{ text: "Really?" }] },
    });
    const traceId = id.replaceAll("-", "");
    await sendSpans(billing, [createStep(traceId, 1, { name: "chat gpt-5", attributes: CHAT })]);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces/${traceId}`);
    const rows = page.getByRole("treegrid").getByRole("row");
    const toneOf = (name: string) =>
      rows.filter({ hasText: name }).locator(".traces-bar").getAttribute("data-tone");
    await rows.filter({ hasText: "human_answer" }).waitFor();
    const tones = [await toneOf("run_task"), await toneOf("human_answer"), await toneOf("chat gpt-5")];
    expect(tones).toEqual(["service", "wait", "model"]);
    const legend = page.getByRole("list", { name: "Colors" });
    expect(await legend.getByRole("listitem").allTextContents()).toEqual([
      " model",
      " Agent Ops",
      " waits for a person",
    ]);
    expect(await page.locator(".page-head").getByRole("link", { name: "View task" }).count()).toBe(1);
    await rows.filter({ hasText: "run_task" }).click();
    await page.getByRole("region", { name: "Chosen span" }).getByRole("link", { name: "View task" }).click();
    await page.waitForURL(`**/tasks/${id}`);
    await page.context().close();
  });

  it("is used with the keyboard", async () => {
    const traceId = newTraceId();
    await sendSpans(billing, [
      createStep(traceId, 1, { name: "agent", attributes: CHAT }),
      createStep(traceId, 2, { parent: 1, name: "first chat" }),
      createStep(traceId, 3, { parent: 2, name: "first tool", ...FAILED }),
      createStep(traceId, 4, { parent: 1, name: "second chat", ...FAILED }),
    ]);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces/${traceId}`);
    const rows = page.getByRole("treegrid").getByRole("row");
    await rows.nth(3).waitFor();
    const current = async () => page.locator("[data-current]").locator(".traces-name-text").textContent();
    await page.keyboard.press("/");
    await page.keyboard.type("chat");
    await page.getByText("2 matches").waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText("2 of 2").waitFor();
    expect(await current()).toBe("second chat");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Fold all" }).click();
    await rows.nth(1).waitFor({ state: "detached" });
    await rows.first().getByText("2 errors").waitFor();
    await page.keyboard.press("e");
    await rows.nth(2).waitFor();
    expect(await current()).toBe("first tool");
    await page.keyboard.press("ArrowLeft");
    expect(await current()).toBe("first chat");
    await page.keyboard.press("ArrowLeft");
    await rows.nth(3).waitFor({ state: "detached" });
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("End");
    expect(await current()).toBe("second chat");
    await page.keyboard.press("Enter");
    await page
      .getByRole("region", { name: "Chosen span" })
      .getByRole("heading", { name: "second chat" })
      .waitFor();
    await page.context().close();
  });

  it("zooms in by dragging over the small drawing, and out again", async () => {
    const traceId = await sendRefund(billing, "refund order 11");
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces/${traceId}`);
    const bar = page.getByRole("row").first().locator(".traces-bar");
    const before = (await bar.boundingBox())?.width ?? 0;
    const box = await page.getByRole("img", { name: /Drag to zoom in/ }).boundingBox();
    expect(box).not.toBeNull();
    const { x, y, width } = box ?? { x: 0, y: 0, width: 0 };
    await page.mouse.move(x + width / 2, y + 10);
    await page.mouse.down();
    await page.mouse.move(x + width / 4, y + 20);
    await page.mouse.up();
    const zoomOut = page.getByRole("button", { name: "Zoom out" });
    await zoomOut.waitFor();
    const ticks = page.locator(".traces-tick");
    expect(await ticks.first().textContent()).not.toBe("0");
    await zoomOut.click();
    await ticks.first().filter({ hasText: /^0$/ }).waitFor();
    expect((await bar.boundingBox())?.width).toBeCloseTo(before, 1);
    await page.context().close();
  });

  it("renders few of 10,000 spans, folded below the third level, and finds the only one that failed", async () => {
    const traceId = newTraceId();
    const spans = Array.from({ length: 10_000 }, (_, i) =>
      createStep(traceId, i + 1, {
        ...(i > 0 && { parent: Math.ceil(i / 9) }),
        ...(i === 0 && { attributes: CHAT }),
        ...(i === 9876 && { name: "needle", ...FAILED }),
      }),
    );
    await sendSpans(billing, spans.slice(0, 5000));
    await sendSpans(billing, spans.slice(5000));
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces/${traceId}`);
    const grid = page.getByRole("treegrid", { name: "10,000 spans" });
    await grid.waitFor();
    expect(await grid.getAttribute("aria-rowcount")).toBe(`${1 + 9 + 81 + 729}`);
    await page.keyboard.press("e");
    await grid.getByText("needle").waitFor();
    await page.getByRole("button", { name: "Open all" }).click();
    await grid.focus();
    await page.keyboard.press("End");
    await grid.locator('[aria-rowindex="10000"]').waitFor();
    expect(await grid.getByRole("row").count()).toBeLessThan(80);
    await page.context().close();
  });
});

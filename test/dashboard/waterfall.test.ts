import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER } from "../support/browser.ts";
import { newTraceId } from "../support/otlp.ts";
import type { TestClient } from "../support/test-client.ts";
import { type DashboardWorld, openDashboardWorld } from "./support/dashboard-world.ts";
import { CHAT, FAILED, OPEN, createStep, sendRefund, sendSpans, toSpanId } from "./support/trace-scene.ts";

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
    expect(await ticks.first().textContent()).not.toBe("0 µs");
    await zoomOut.click();
    await ticks
      .first()
      .filter({ hasText: /^0 µs$/ })
      .waitFor();
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

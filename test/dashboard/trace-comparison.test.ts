import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { newTraceId, textAttribute } from "../support/otlp.ts";
import type { TestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { CHAT, createStep, createUsage, sendRefund, sendSpans } from "./support/trace-scene.ts";

const AGENT = [textAttribute("gen_ai.operation.name", "invoke_agent")];

describe.skipIf(LACKS_BROWSER)("two traces compared", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let sender: TestClient;
  let before: string;
  let after: string;

  beforeAll(async () => {
    world = await openDashboardWorld();
    sender = await world.agentWith("traces:write");
    before = await sendRefund(sender, "refund");
    after = newTraceId();
    await sendSpans(sender, [
      createStep(after, 1, { name: "refund", at: 0, attributes: AGENT }),
      createStep(after, 2, { parent: 1, name: "chat gpt-5", attributes: createUsage("gpt-5") }),
      createStep(after, 3, { parent: 1, name: "retrieve", attributes: CHAT }),
    ]);
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("are picked in the list, %s", async (_size, options) => {
    const { page } = await world.enter("viewer", options);
    await page.goto(`${world.network.url}/traces`);
    await page.getByRole("button", { name: "Compare two" }).click();
    const boxes = page.getByRole("checkbox", { name: "Compare refund" });
    const go = page.getByRole("button", { name: "Compare", exact: true });
    await boxes.nth(1).check();
    expect(await go.isDisabled()).toBe(true);
    await boxes.nth(0).check();
    await page.getByText("Two traces are picked.").waitFor();
    await expectAccessible(page);
    await go.click();
    await page.waitForURL(`**/traces/${before}/compare/${after}`);
    const spans = page.getByRole("table", { name: "spans" }).getByRole("row");
    await spans.filter({ hasText: /execute_tool refund.*gone.*1 error/s }).waitFor();
    await spans.filter({ hasText: /retrieve.*new/s }).waitFor();
    await spans.filter({ hasText: /chat gpt-5.*same/s }).waitFor();
    const sums = page.getByRole("table", { name: "Sums" }).getByRole("row");
    await sums.filter({ hasText: /Output tokens\s*0\s*200\s*\+200/ }).waitFor();
    await sums.filter({ hasText: /Errors\s*1\s*0\s*−1 \(−100 %\)/ }).waitFor();
    await sums.filter({ hasText: /Spans\s*3\s*3\s*same/ }).waitFor();
    await page.getByLabel("Only differences").check();
    await spans.filter({ hasText: "chat gpt-5" }).waitFor({ state: "detached" });
    await expectAccessible(page);
    await page.getByRole("link", { name: "Swap" }).click();
    await spans.filter({ hasText: /execute_tool refund.*new/s }).waitFor();
    await page.goto(`${world.network.url}/traces/${before}/compare/${newTraceId()}`);
    await page.getByRole("heading", { level: 1, name: "This trace doesn’t exist" }).waitFor();
    await page.context().close();
  });
});

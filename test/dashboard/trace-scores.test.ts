import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createEvalRun } from "../../src/domain/eval-runs/create-eval-run.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import type { TestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { sendRefund, toSpanId } from "./support/trace-scene.ts";
import { postAsAgent } from "./support/work.ts";

describe.skipIf(LACKS_BROWSER)("scores of a trace", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let sender: TestClient;

  beforeAll(async () => {
    world = await openDashboardWorld();
    sender = await world.agentWith("traces:write");
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("are given by viewers with a key, for the trace or the chosen span, and deleted", async () => {
    const traceId = await sendRefund(sender, "scored by hand");
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces/${traceId}`);
    const ofTrace = page.getByRole("region", { name: "Scores of the trace" });
    await ofTrace.getByText("Nobody has scored this trace.").waitFor();
    await page.keyboard.press("+");
    await ofTrace.getByText("quality: 1").waitFor();
    await page.keyboard.press("-");
    await ofTrace.getByText("quality: 0").waitFor();
    await page.getByRole("row").filter({ hasText: "execute_tool refund" }).click();
    const ofSpan = page.getByRole("region", { name: "Scores of the span" });
    await ofSpan.getByText("Nobody has scored this span.").waitFor();
    await page.keyboard.press("+");
    await ofSpan.getByText("quality: 1").waitFor();
    await ofTrace.getByText("quality: 0").waitFor();
    await ofTrace.getByRole("button", { name: "Delete score quality" }).click();
    await ofTrace.getByText("Nobody has scored this trace.").waitFor();
    expect(await ofSpan.getByRole("listitem").count()).toBe(1);
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("have any name, and come from programs too, %s", async (_size, options) => {
    const traceId = await sendRefund(sender, "scored by program");
    const { page } = await world.enter("operator", options);
    await page.goto(`${world.network.url}/traces/${traceId}?span=${toSpanId(2)}`);
    const scores = page.getByRole("region", { name: "Scores of the span" });
    await scores.getByText("Another score").click();
    await scores.getByLabel("Name").fill("tone");
    await scores.getByRole("button", { name: "Save score" }).click();
    await scores.getByText("is required without a label", { exact: true }).waitFor();
    await scores.getByLabel("Label").fill("polite <b>");
    await scores.getByLabel("Comment").fill("As always.");
    await scores.getByRole("button", { name: "Save score" }).click();
    await scores.getByText("tone: polite <b>").waitFor();
    await scores.getByText("As always.").first().waitFor();
    const score = { name: "accuracy", value: 0.75, span_id: toSpanId(2), annotator_kind: "llm" };
    await postAsAgent(sender, `/traces/${traceId}/scores`, score);
    const line = scores.getByRole("listitem").filter({ hasText: "accuracy: 0.75" });
    await line.getByText("(model)").waitFor();
    expect(await line.getByRole("button", { name: "Delete" }).count()).toBe(0);
    await expectAccessible(page);
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("and the trace are added to an evaluation that is open, %s", async (_size, options) => {
    const traceId = await sendRefund(sender, "to be evaluated");
    const viewer = await world.enter("viewer");
    await viewer.page.goto(`${world.network.url}/traces/${traceId}`);
    await viewer.page.getByRole("region", { name: "Scores of the trace" }).waitFor();
    expect(await viewer.page.getByText("Add to an evaluation").count()).toBe(0);
    await viewer.page.context().close();
    const { page } = await world.enter("operator", options);
    await page.goto(`${world.network.url}/traces/${traceId}`);
    await page.getByText("Add to an evaluation").click();
    const run = await createEvalRun(world.ctx, { suite: "refunds", name: `Run ${traceId}` });
    await page.getByLabel("Run").selectOption(`refunds: Run ${traceId}`);
    await page.getByLabel("Outcome").selectOption("Failed");
    await page.getByLabel("Item").fill("refund-5");
    await page.getByLabel("Expected answer").fill("A refund");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Add to the run" }).click();
    await page.getByRole("status").getByRole("link", { name: "the run" }).click();
    await page.waitForURL(`**/evaluations/${run.id}`);
    await page.getByText("refund-5").first().waitFor();
    await page.context().close();
  });
});

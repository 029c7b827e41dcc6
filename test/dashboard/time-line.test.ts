import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { textAttribute } from "../support/otlp.ts";
import type { TestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { CHAT, FAILED, createStep, sendSpans, toSpanId } from "./support/trace-scene.ts";
import { postAsAgent, postTask } from "./support/work.ts";

const AGENT = [textAttribute("gen_ai.operation.name", "invoke_agent")];

describe.skipIf(LACKS_BROWSER)("the time line of a task", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let sender: TestClient;

  beforeAll(async () => {
    world = await openDashboardWorld();
    sender = await world.agentWith("traces:write");
    await createPolicy(world.ctx, {
      ...{ name: "refunds", effect: "ask", actions: ["tools/call"] },
      resources: [{ type: "tool", name: "stripe.*" }],
    });
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  /** A task of whose agent a tool failed. */
  async function work(title: string): Promise<{ id: string; lease: { lease_token: string } }> {
    const id = await postTask(world.agent, { title, queue: "refunds" });
    const { body } = await postAsAgent(world.agent, "/tasks/claim", { queues: ["refunds"] });
    for (const tool of ["stripe.refund", "shell.run"]) {
      const call = { action: { name: "tools/call" }, resource: { type: "tool", id: tool } };
      await postAsAgent(world.agent, "/gateway/check", { request: { ...call, context: { task_id: id } } });
    }
    const [, traceId, parentSpanId] = body.lease.traceparent.split("-");
    await sendSpans(sender, [
      createStep(traceId, 1, { parentSpanId, name: "refund work", at: 60_000, attributes: AGENT, ...FAILED }),
      createStep(traceId, 2, { parent: 1, name: "chat model", at: 60_000, attributes: CHAT }),
      createStep(traceId, 3, { parent: 1, name: "card.refund", at: 60_001, ...FAILED }),
      createStep(traceId, 4, { parent: 1, name: "GET /health", at: 60_001 }),
    ]);
    return { id, lease: { lease_token: body.lease.token } };
  }

  it("shows steps, spans, decisions, questions and commands together, in their order", async () => {
    const { id, lease } = await work("Refund order 1");
    const question = { task_id: id, kind: "question", parts: [{ text: "Which account?" }] };
    await postAsAgent(world.agent, "/messages", { ...question, ...lease });
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/tasks/${id}`);
    const line = page.getByRole("region", { name: "Timeline" });
    const items = line.getByRole("listitem");
    await items.filter({ hasText: /^\+[\d.]+ .?s\s*Span card.refund failed 100 ms/ }).waitFor();
    await items.filter({ hasText: /Question .* asks open .* so far/ }).waitFor();
    await page.getByLabel("Your answer").fill("The first one");
    await page.getByRole("button", { name: "Send answer" }).click();
    await items.filter({ hasText: /Question .* asks answered/ }).waitFor();
    await page.getByRole("button", { name: "Cancel task" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel task" }).click();
    await items.filter({ hasText: /Command task.cancel/ }).waitFor();
    const expected = [
      ...["Task Created", "Decision tools/call stripe.refund asked", "Decision tools/call shell.run denied"],
      ...["Span refund work failed", "Span chat model", "Span card.refund failed", "Question"],
      "Command task.cancel",
    ];
    for (const text of expected) await items.filter({ hasText: text }).first().waitFor();
    const texts = await items.allInnerTexts();
    const places = expected.map((text) => texts.findIndex((one) => one.includes(text)));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    await items.filter({ hasText: "Approval May it? tools/call stripe.refund cancelled" }).waitFor();
    await line.getByText(/\d+ more spans? (?:is|are) in the trace\./).waitFor();
    expect(texts.filter((text) => text.includes("Span human_"))).toEqual([]);
    expect(await line.getByText("First error").count()).toBe(0);
    await items.filter({ hasText: "shell.run" }).getByRole("link").click();
    await page.waitForURL("**/decisions/*");
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])("leads from a failed task to its first error in two clicks, %s", async (_size, options) => {
    const { id, lease } = await work("Refund order 2");
    await postAsAgent(world.agent, `/tasks/${id}/fail`, {
      ...lease,
      error: { message: "No refund", retryable: false },
    });
    const { page } = await world.enter("viewer", options);
    await page.goto(`${world.network.url}/tasks?view=list&status=FAILED`);
    await page.getByRole("link", { name: "Refund order 2" }).first().click();
    const line = page.getByRole("region", { name: "Timeline" });
    await line.getByText("First error: card.refund: the card was declined").waitFor();
    await expectAccessible(page);
    await line.getByRole("link", { name: "card.refund" }).first().click();
    await page.waitForURL(`**/traces/${id.replaceAll("-", "")}?span=${toSpanId(3)}`);
    await page.getByRole("region", { name: "Chosen span" }).getByText("the card was declined").waitFor();
    await page.goBack();
    const score = { name: "accuracy", value: 0.4 };
    await postAsAgent(sender, `/traces/${id.replaceAll("-", "")}/scores`, score);
    await line
      .getByRole("listitem")
      .filter({ hasText: /Score\s+accuracy/ })
      .waitFor();
    await page.context().close();
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { newTraceId, textAttribute } from "../support/otlp.ts";
import type { TestClient } from "../support/test-client.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { createStep, createUsage, sendSpans } from "./support/trace-scene.ts";

describe.skipIf(LACKS_BROWSER)("the list of traces", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let sender: TestClient;

  beforeAll(async () => {
    world = await openDashboardWorld();
    sender = await world.agentWith("traces:write");
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("is searched by a span's name, a model and a cost, and for lost traces", async () => {
    const other = await world.agentWith("traces:write");
    await sendSpans(sender, [
      createStep(newTraceId(), 1, { name: "Dear", attributes: createUsage("gpt-5") }),
    ]);
    await sendSpans(sender, [createStep(newTraceId(), 1, { name: "Cheap", attributes: createUsage("x-1") })]);
    const open = { name: "Opened", attributes: createUsage("x-2"), endTimeUnixNano: "0" };
    await sendSpans(other, [createStep(newTraceId(), 1, open)]);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces`);
    const links = page.getByRole("table").getByRole("link", { name: /^(Dear|Cheap|Opened)$/ });
    async function expectFound(names: readonly string[]): Promise<void> {
      await page
        .getByText(names.length === 1 ? "1 trace" : `${names.length} traces`, { exact: true })
        .waitFor();
      expect(await links.allInnerTexts()).toEqual(names);
    }
    await expectFound(["Opened", "Cheap", "Dear"]);
    await page.getByLabel("Search spans by name").fill("eA");
    await expectFound(["Cheap", "Dear"]);
    await page.getByLabel("Cost from ($)").fill("0.001");
    await expectFound(["Dear"]);
    await page.goto(`${world.network.url}/traces?model=x-1`);
    await expectFound(["Cheap"]);
    await page.goto(`${world.network.url}/traces?status=LOST`);
    await page.getByText("No trace matches these filters").waitFor();
    await world.server.database.query(
      `UPDATE agent SET last_seen_at = now() - interval '6 minutes' WHERE id IN (
         SELECT credential_agent_id FROM span WHERE ended_at IS NULL)`,
    );
    await page.reload();
    await expectFound(["Opened"]);
    await page.getByRole("row", { name: "Opened" }).getByText("lost").waitFor();
    await page.context().close();
  });

  it("names those of tasks by their titles", async () => {
    const worker = await world.agentWith("tasks:read", "tasks:write", "tasks:work");
    const task = { title: "Refund order 42", queue: "named" };
    expect((await worker.post("/api/v1/tasks", task)).status).toBe(201);
    expect((await worker.post("/api/v1/tasks/claim", { queues: ["named"] })).status).toBe(200);
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/traces`);
    await page.getByRole("table").getByRole("link", { name: "Refund order 42" }).click();
    await page.getByRole("heading", { level: 1, name: "Refund order 42" }).waitFor();
    await page.context().close();
  });

  it.each([
    ["wide", {}],
    ["on a phone", PHONE],
  ])(
    "deletes those of a conversation for admins, who enter their password again, %s",
    async (size, options) => {
      const conversation = `talk ${size}`;
      const attributes = [...createUsage("gpt-5"), textAttribute("gen_ai.conversation.id", conversation)];
      for (const name of ["first", "second"]) {
        await sendSpans(sender, [createStep(newTraceId(), 1, { name, attributes })]);
      }
      const { page, person } = await world.enter("admin", options);
      await page.goto(`${world.network.url}/traces`);
      await page.getByRole("heading", { level: 1, name: "Traces" }).waitFor();
      const button = page.getByRole("button", { name: "Delete traces" });
      expect(await button.count()).toBe(0);
      await page.goto(`${world.network.url}/traces?conversation=${conversation}&status=ERROR`);
      await button.click();
      const dialog = page.getByRole("dialog", { name: "Delete all traces of this conversation?" });
      await dialog.getByText("2 traces, whatever else the list is filtered by").waitFor();
      await expectAccessible(page);
      await world.endSudo(person);
      await dialog.getByRole("button", { name: "Delete traces" }).click();
      await page.getByRole("dialog").getByLabel("Password").fill(person.password);
      await page.getByRole("button", { name: "Confirm", exact: true }).click();
      await page.getByText("2 traces have been deleted.").waitFor();
      await page.goto(`${world.network.url}/traces?conversation=${conversation}`);
      await page.getByText("No trace matches these filters").waitFor();
      await page.context().close();
    },
  );

  it("deletes those of a person", async () => {
    const attributes = [...createUsage("gpt-5"), textAttribute("user.email", "grace@example.com")];
    await sendSpans(sender, [createStep(newTraceId(), 1, { name: "of Grace", attributes })]);
    const { page } = await world.enter("admin");
    await page.goto(`${world.network.url}/traces`);
    await page.getByRole("button", { name: "Delete a person’s traces" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Person").fill("grace@example.com");
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Delete traces" }).click();
    await page.getByText("1 trace has been deleted.").waitFor();
    await page.context().close();
  });

  it("offers operators no deletion", async () => {
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/traces?conversation=any`);
    await page.getByText("Showing traces of one conversation.").waitFor();
    expect(await page.getByRole("button", { name: "Delete traces" }).count()).toBe(0);
    await page.context().close();
  });
});

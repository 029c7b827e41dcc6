import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { insertTestAgent } from "../support/factories.ts";
import { ASK, refund } from "../support/gateway-scene.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { claimFrom, postTask, postAsAgent } from "./support/work.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard's tasks", () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  it("shows a task live while an agent claims it, asks a question, gets an answer, and completes it", async () => {
    const { page } = await world.enter("operator");
    await world.waitUntilLive(page);
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Tasks" }).click();
    await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
    const column = (name: string) => page.getByRole("region", { name });
    const title = "Refund order 4711";
    const id = await postTask(world.agent, { title, queue: "refunds" });
    await column("Submitted").getByRole("link", { name: title }).waitFor();
    const leaseToken = await claimFrom(world.agent, "refunds");
    await column("Working").getByRole("link", { name: title }).waitFor();
    await postAsAgent(world.agent, "/messages", {
      ...{ task_id: id, lease_token: leaseToken, kind: "question" },
      parts: [{ text: "Which account?" }],
    });

    const oldest = column("Waiting longest");
    await oldest.getByText("Which account?").waitFor();
    await column("Input required").getByRole("link", { name: title }).waitFor();
    await expectAccessible(page);
    await oldest.getByRole("button", { name: /^Answer/ }).click();
    await oldest.getByLabel("Your answer").fill("The first one");
    await oldest.getByLabel("Your answer").press("Control+Enter");
    await page.getByText("Answer sent.").waitFor();

    await column("Working").getByRole("link", { name: title }).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    const messages = page.getByRole("list", { name: "Messages about this task" });
    await messages.getByText("The first one").waitFor();
    await postAsAgent(world.agent, `/tasks/${id}/complete`, {
      lease_token: leaseToken,
      output: { refunded: 12 },
      artifacts: [{ artifact_id: "a", name: "receipt", parts: [{ text: "Paid back" }] }],
    });
    await page.getByRole("heading", { name: "Output" }).waitFor();
    await page.getByRole("region", { name: "Artifact receipt" }).getByText("Paid back").waitFor();
    await page.getByRole("region", { name: "Timeline" }).getByText("Completed").waitFor();
    await expectAccessible(page);
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("says that a task waits for the approval of a call, leads to it, and that it goes on", async () => {
    const { page } = await world.enter("operator");
    await createPolicy(world.ctx, ASK);
    const title = "Refund order 4712";
    const id = await postTask(world.agent, { title, queue: "large-refunds" });
    await claimFrom(world.agent, "large-refunds");
    await page.goto(`${world.network.url}/tasks/${id}`);
    await page.getByText("working", { exact: true }).waitFor();
    const request = refund(undefined, { context: { task_id: id } });
    const { check } = (await postAsAgent(world.agent, "/gateway/check", { request })).body;
    await page.getByText("awaiting approval", { exact: true }).waitFor();
    await expectAccessible(page);
    const notice = page.getByText("A policy asks people about a call of its agent");
    await notice.getByRole("link", { name: "View approval" }).click();
    await page.waitForURL(`**/approvals/${check.approval.id}`);
    await page.goto(`${world.network.url}/tasks`);
    const card = page
      .getByRole("region", { name: "Working" })
      .getByRole("listitem")
      .filter({ hasText: title });
    await card.getByRole("link", { name: "awaiting approval" }).waitFor();
    await postAsAgent(world.agent, `/gateway/approvals/${check.approval.id}/cancel`, {});
    await card.getByRole("link", { name: "awaiting approval" }).waitFor({ state: "detached" });
    await card.waitFor();
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("cancels a task that an agent holds, and explains what happens if the agent is offline", async () => {
    const title = "Count the stock";
    const id = await postTask(world.agent, { title, queue: "stock" });
    const leaseToken = await claimFrom(world.agent, "stock");
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/tasks/${id}`);
    await world.waitUntilLive(page);
    await page.getByRole("button", { name: "Cancel task" }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel task?" });
    await dialog.getByText(/is offline or doesn’t confirm, .* after 30 seconds anyway/).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel("Reason").fill("Counted yesterday");
    await dialog.getByRole("button", { name: "Cancel task" }).click();
    await page.getByText("is being canceled").waitFor();
    await postAsAgent(world.agent, `/tasks/${id}/cancel_ack`, { lease_token: leaseToken });
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("button", { name: "Create new task" }).click();
    await page.getByRole("link", { name: "View earlier task" }).waitFor();
    expect(page.url()).not.toContain(id);
    const answer = await world.agent.get(`/api/v1/tasks/${id}`);
    expect(answer.body.task).toMatchObject({ status: "canceled" });
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("creates a task with a form that shows the server's errors at their fields", async () => {
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/tasks/new`);
    await page.getByLabel("Title").fill("Water the plants");
    await page.getByLabel("Queue").fill("Not a queue");
    await page.getByRole("button", { name: "Create task" }).click();
    await page.locator('[aria-invalid="true"][name="queue"]').waitFor();
    await expectAccessible(page);
    await page.getByLabel("Queue").fill("garden");
    await page.getByLabel("Instruction").fill("All of them");
    await page.getByRole("button", { name: "Create task" }).click();
    await page.getByRole("heading", { level: 1, name: "Water the plants" }).waitFor();
    await page.getByRole("region", { name: "Input" }).getByText("All of them").waitFor();
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("filters the list by its URL, also on a phone", async () => {
    await postTask(world.agent, { title: "Paint the fence", queue: "outside" });
    await postTask(world.agent, { title: "Paint the door", queue: "inside" });
    const { page } = await world.enter("viewer", PHONE);
    await page.goto(`${world.network.url}/tasks?view=list&queue=outside&q=paint`);
    const rows = page.getByRole("row");
    await page.getByRole("link", { name: "Paint the fence" }).waitFor();
    expect(await rows.filter({ hasText: "Paint" }).count()).toBe(1);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Filters", exact: true }).click();
    await page.getByLabel("Status").selectOption("FAILED");
    await page.getByRole("heading", { name: "No task matches these filters" }).waitFor();
    expect(new URL(page.url()).searchParams.get("status")).toBe("FAILED");
    await page.getByRole("link", { name: "Board" }).click();
    await page.getByRole("region", { name: "Submitted" }).getByText("Paint the fence").waitFor();
    await expectAccessible(page);
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("chooses an agent found on the server by keyboard", async () => {
    const { page } = await world.enter("operator");
    for (const handle of ["crane-7", "crane-8"]) {
      const id = await insertTestAgent(world.server.systemCtx(world.workspaceId));
      await world.server.database.query("UPDATE agent SET name = $2 WHERE id = $1", [id, `The ${handle}`]);
    }
    await page.goto(`${world.network.url}/tasks/new`);
    await page.getByLabel("Title").fill("Lift the beam");
    const field = page.getByRole("combobox", { name: "Agent" });
    await field.focus();
    await field.pressSequentially("crane");
    await page.getByRole("option", { name: "The crane-7" }).waitFor();
    await expectAccessible(page);
    await field.pressSequentially("-8");
    await page.getByRole("option", { name: "The crane-7" }).waitFor({ state: "detached" });
    await page.getByRole("option", { name: "The crane-8", selected: true }).waitFor();
    await field.press("Enter");
    await page.locator('input[name="assigneeAgentId"][value="The crane-8"]').waitFor();
    await field.press("ArrowDown");
    await page.getByRole("option", { name: "Any agent" }).waitFor();
    await field.press("Escape");
    await page.getByRole("button", { name: "Create task" }).click();
    await page.getByRole("heading", { level: 1, name: "Lift the beam" }).waitFor();
    await page.getByRole("link", { name: "The crane-8" }).first().waitFor();
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("sorts the list by column headers, and keeps the order in the URL", async () => {
    const older = await postTask(world.agent, { title: "Sorted one", queue: "sorting" });
    await postTask(world.agent, { title: "Sorted two", queue: "sorting" });
    const { page } = await world.enter("operator");
    await page.goto(`${world.network.url}/tasks?view=list&queue=sorting`);
    const first = page.locator("tbody tr").first();
    await first.getByRole("link", { name: "Sorted two" }).waitFor();
    await page.getByRole("button", { name: "Created" }).click();
    await first.getByRole("link", { name: "Sorted one" }).waitFor();
    expect(new URL(page.url()).searchParams.get("sort")).toBe("-created");
    await page.getByRole("button", { name: "Updated" }).click();
    await page.locator('th[aria-sort="descending"]').getByRole("button", { name: "Updated" }).waitFor();
    await first.getByRole("link", { name: "Sorted two" }).waitFor();
    await postAsAgent(world.agent, `/tasks/${older}/cancel`, {});
    await first.getByRole("link", { name: "Sorted one" }).waitFor();
    await expectAccessible(page);
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("sorts the list on a phone, where headers are hidden", async () => {
    await postTask(world.agent, { title: "Small one", queue: "small" });
    await postTask(world.agent, { title: "Small two", queue: "small" });
    const { page } = await world.enter("viewer", PHONE);
    await page.goto(`${world.network.url}/tasks?view=list&queue=small`);
    const first = page.locator("tbody tr").first();
    await first.getByRole("link", { name: "Small two" }).waitFor();
    await page.getByLabel("Sort by").selectOption("Created, oldest first");
    await first.getByRole("link", { name: "Small one" }).waitFor();
    expect(new URL(page.url()).searchParams.get("sort")).toBe("-created");
    expect(await page.getByRole("button", { name: "Created" }).count()).toBe(0);
    await expectAccessible(page);
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  it("offers a viewer no action, and finds no task of another workspace", async () => {
    const id = await postTask(world.agent, { title: "Sweep the yard", queue: "yard" });
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/tasks/${id}`);
    await page.getByRole("heading", { level: 1, name: "Sweep the yard" }).waitFor();
    expect(await page.getByRole("button", { name: "Cancel task" }).count()).toBe(0);
    expect(await page.getByText("Write message").count()).toBe(0);
    const other = await world.another();
    const foreign = await postTask(other.agent, { title: "A secret", queue: "theirs" });
    await page.goto(`${world.network.url}/tasks/${foreign}`);
    await page.getByRole("heading", { level: 1, name: "This task doesn’t exist" }).waitFor();
    await page.context().close();
    expect(world.complaints.splice(0)).toEqual([]);
  });
});

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parseTyped } from "../../src/dashboard/app/palette/parse-typed.ts";
import { SETTINGS } from "../../src/dashboard/app/palette/settings-pages.ts";
import { inviteUser } from "../../src/domain/users/invite-user.ts";
import { listSections } from "../../src/pages/layout/sections.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { createAgentCommand, insertTestEvalRun, insertTestMission } from "../support/factories.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";
import { postAsAgent } from "./support/work.ts";

describe("what is typed into the palette", () => {
  it.each([
    ["refund", null],
    ["task", null],
    ["pause", null],
    ["Task refund order", { act: null, kinds: ["TASK"], rest: "refund order" }],
    ["pause support", { act: "pause", kinds: ["AGENT", "MISSION"], rest: "support" }],
    ["cancel task weigh", { act: "cancel", kinds: ["TASK"], rest: "weigh" }],
    ["cancel task", { act: "cancel", kinds: ["TASK", "MISSION", "AGENT_COMMAND"], rest: "task" }],
    ["pause task weigh", { act: "pause", kinds: ["AGENT", "MISSION"], rest: "task weigh" }],
    ["constructor x", null],
  ])("%s", (typed, parsed) => {
    expect(parseTyped(typed)).toEqual(parsed);
  });

  it.each([true, false])("leads to every page of the settings, for admins: %s", (isAdmin) => {
    const shown = SETTINGS.filter(([, , role]) => isAdmin || role === "VIEWER").map(([path]) => path);
    expect(shown).toEqual(listSections(isAdmin).map(({ href }) => href));
  });
});

describe.skipIf(LACKS_BROWSER)("the palette", { timeout: 60_000 }, () => {
  let world: DashboardWorld;
  let agentId: string;

  beforeAll(async () => {
    world = await openDashboardWorld();
    const ctx = world.server.systemCtx(world.workspaceId);
    const { body } = await world.agent.get("/api/v1/agents?limit=1");
    agentId = body.agents[0].id;
    await ctx.db.agent.updateMany({ where: { id: agentId }, data: { name: "Harbour clerk" } });
    await postAsAgent(world.agent, "/tasks", { title: "Harbour dues", queue: "fees" });
    await insertTestMission(ctx, { title: "Harbour patrol" });
    await createAgentCommand(ctx, agentId, { type: "harbour.count" });
    await insertTestEvalRun(ctx, { name: "Harbour nightly" });
    await inviteUser(ctx, { email: "ada@harbour.example", name: "Ada Harbour", role: "viewer" });
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  function finder(page: Page) {
    return page.getByRole("combobox", { name: "Find anything by name, kind or ID, or do something" });
  }

  async function type(page: Page, text: string): Promise<void> {
    if (!(await finder(page).isVisible())) await page.keyboard.press("Control+k");
    await finder(page).fill(text);
  }

  it("finds each kind of thing in one request, and stays where it opened", async () => {
    const { page } = await world.enter("owner");
    await page.keyboard.press("Control+k");
    const before = await page.getByRole("dialog").boundingBox();
    const requests: string[] = [];
    page.on("request", (request) => {
      if (request.postData()?.includes("PaletteSearch") === true) requests.push(request.url());
    });
    await finder(page).pressSequentially("harbour");
    for (const name of [
      /^Harbour clerk.*Agent$/,
      /^Harbour dues.*Task$/,
      /^Harbour patrol.*Mission$/,
      /^harbour\.count.*Command$/,
      /^Harbour nightly.*Evaluation$/,
      /^Ada Harbour.*Member$/,
    ]) {
      await page.getByRole("option", { name }).waitFor();
    }
    expect(requests.length).toBeLessThanOrEqual(2);
    expect(await page.getByRole("dialog").boundingBox()).toEqual(before);
    await expectAccessible(page);
    await finder(page).fill(agentId.slice(0, 8));
    await page.getByRole("option", { name: /^Harbour clerk/ }).waitFor();
    await finder(page).fill("task harbour");
    await page.getByRole("option", { name: /^Harbour dues/ }).waitFor();
    await finder(page).fill("ada");
    await page.getByRole("option", { name: /^Ada Harbour/ }).click();
    await page.waitForURL(/\/settings\/members\/[0-9a-f-]{36}$/);
    await page.context().close();
  });

  it("pauses an agent through its page's dialog, from anywhere", async () => {
    const { page } = await world.enter("operator");
    await type(page, "pause harbour");
    await page.getByRole("option", { name: /^Pause Harbour clerk/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/agents/${agentId}$`));
    await page.getByRole("dialog", { name: "Pause agent?" }).getByLabel("Reason").fill("Lunch");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.closest("main") !== null);
    await type(page, "resume harbour");
    await page.getByRole("option", { name: /^Resume Harbour clerk/ }).click();
    await page
      .getByRole("dialog", { name: "Resume agent?" })
      .getByRole("button", { name: "Resume agent" })
      .click();
    await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
    expect((await world.agent.get("/api/v1/agents?limit=1")).body.agents[0].control_state).toBe("active");
    await page.context().close();
  });

  it("cancels a task, and opens the form of a new one", async () => {
    const { page } = await world.enter("operator");
    await type(page, "cancel task harbour");
    await page.getByRole("option", { name: /^Cancel Harbour dues/ }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel task?" });
    await dialog.getByRole("button", { name: "Cancel task" }).click();
    await page.getByText("The task has been canceled.").waitFor();
    await type(page, "new task");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/tasks\/new$/);
    const { body } = await world.agent.get("/api/v1/tasks?queue=fees");
    expect(body.tasks).toMatchObject([{ title: "Harbour dues", status: "canceled" }]);
    await page.context().close();
  });

  it("offers a viewer what they may open and do", async () => {
    const { page } = await world.enter("viewer", PHONE);
    await page.getByRole("button", { name: /Find/ }).click();
    await finder(page).fill("pause harbour");
    await page.getByRole("option", { name: /^Harbour clerk/ }).waitFor();
    expect(await page.getByRole("option", { name: /^Pause/ }).count()).toBe(0);
    await finder(page).fill("ada harbour");
    await page.getByText("Nothing found.").waitFor();
    await finder(page).fill("new ");
    expect(await page.getByRole("option", { name: /^New/ }).count()).toBe(0);
    await finder(page).fill("security");
    await expectAccessible(page);
    await page.getByRole("option", { name: /^Security/ }).click();
    await page.getByRole("heading", { level: 1, name: "Security" }).waitFor();
    await page.context().close();
  });
});

import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPolicy } from "../../src/domain/policies/create-policy.ts";
import { exportPolicies } from "../../src/domain/policies/file/export-policies.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

const FILE = `version: 1
policies:
  - name: refunds
    effect: ask
    actions:
      - tools/call
    when: has(args.amount) && args.amount > 500
  - name: tools
    effect: allow
    actions:
      - tools/*
`;

describe.skipIf(LACKS_BROWSER)("the dashboard's import and export of policies", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  beforeEach(async () => {
    await world.ctx.db.policy.deleteMany();
    await createPolicy(world.ctx, { name: "tools", effect: "deny", actions: ["tools/*"] });
    await createPolicy(world.ctx, { name: "old", effect: "deny", actions: ["x"] });
  });

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  async function choose(page: Page, text: string): Promise<void> {
    await page.goto(`${world.network.url}/policies/import`);
    await page
      .getByLabel("File")
      .setInputFiles({ name: "policies.yaml", mimeType: "application/yaml", buffer: Buffer.from(text) });
  }

  it("downloads all policies as the command line exports them", async () => {
    const { page } = await world.enter("viewer");
    await page.goto(`${world.network.url}/policies`);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("policies.yaml");
    const text = await readFile(await download.path(), "utf8");
    expect(text).toBe((await exportPolicies(world.ctx)).text);
    expect(await page.getByRole("link", { name: "Import" }).count()).toBe(0);
    await page.goto(`${world.network.url}/policies/import`);
    await page.getByText("You need the admin role to import policies.").waitFor();
    await page.context().close();
  });

  it("shows what a file changes before it is applied, and removes the others only if asked to", async () => {
    const { page } = await world.enter("admin");
    await choose(page, FILE);
    const changes = page.getByRole("region", { name: "What it would change" });
    await changes.getByText("1 added, 1 changed, 1 not in the file, which stay, 0 unchanged.").waitFor();
    const tools = changes.getByRole("listitem").filter({ hasText: "tools" });
    expect(await tools.filter({ hasText: "~" }).innerText()).toMatch(/Effect\s*deny\s*allow/);
    expect(await changes.getByRole("listitem").filter({ hasText: "+" }).innerText()).toMatch(/refunds/);
    expect(await world.ctx.db.policy.count({ where: { fromFile: true } })).toBe(0);
    await page.getByLabel("Delete 1 policy that the file doesn’t have").check();
    await changes.getByText("1 added, 1 changed, 1 removed, 0 unchanged.").waitFor();
    await expectAccessible(page);
    await changes.getByRole("button", { name: "Apply 3 changes" }).click();
    await page.getByText("3 policies have been changed.").waitFor();
    await page.getByRole("row").filter({ hasText: "refunds" }).getByText("from a file").waitFor();
    expect((await exportPolicies(world.ctx)).text).toBe(FILE);
    const { id } = await world.ctx.db.policy.findFirstOrThrow({ where: { name: "refunds" } });
    await page.goto(`${world.network.url}/policies/${id}/edit`);
    await page.getByText("When that is applied again, it undoes what you change here.").waitFor();
    await page.context().close();
  });

  it("doesn't overwrite what changed since the file was compared", async () => {
    const { page } = await world.enter("admin");
    await choose(page, FILE);
    await page.getByText("1 added, 1 changed").waitFor();
    await createPolicy(world.ctx, { name: "newer", effect: "deny", actions: ["y"] });
    await page.getByRole("button", { name: "Apply 2 changes" }).click();
    await page.getByRole("alert").getByText("The policies were changed meanwhile").waitFor();
    expect(await world.ctx.db.policy.count({ where: { name: "refunds" } })).toBe(0);
    await choose(page, FILE);
    await page.getByText("1 added, 1 changed, 2 not in the file").waitFor();
    await page.context().close();
  });

  it("says what is wrong with a file, and where", async () => {
    const { page } = await world.enter("admin");
    await choose(page, FILE.replace("effect: allow", "effect: alow").replace("> 500", ">"));
    const problems = page.getByRole("alert").getByRole("listitem");
    await problems.first().waitFor();
    expect(await problems.allInnerTexts()).toEqual([
      expect.stringMatching(/^Line 7, column 11: when: /),
      expect.stringMatching(/^Line 9, column 13: effect: must be one of allow, deny, ask$/),
    ]);
    expect(await page.getByRole("button", { name: /Apply/ }).count()).toBe(0);
    await choose(page, `# ${"x".repeat(500_000)}\n${FILE}`);
    await page.getByText("Files over 500 kB can’t be imported here. Use agent-ops policy apply.").waitFor();
    await page.context().close();
  });

  it("is accessible on a phone", async () => {
    const { page } = await world.enter("admin", PHONE);
    await choose(page, FILE);
    await page.getByText("1 added, 1 changed").waitFor();
    await expectAccessible(page);
    await page.context().close();
  });
});

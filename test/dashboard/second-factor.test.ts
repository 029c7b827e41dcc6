import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { replaceRecoveryCodes } from "../../src/auth/factors/recovery-codes.ts";
import { updateWorkspace } from "../../src/domain/workspaces/update-workspace.ts";
import { LACKS_BROWSER, expectAccessible } from "../support/browser.ts";
import { giveFactor } from "../support/test-factors.ts";
import { type DashboardWorld, PHONE, openDashboardWorld } from "./support/dashboard-world.ts";

describe.skipIf(LACKS_BROWSER)("the dashboard of people with second factors", { timeout: 60_000 }, () => {
  let world: DashboardWorld;

  beforeAll(async () => {
    world = await openDashboardWorld();
  });

  afterAll(() => world.close());

  afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

  it("asks for a code besides the password, and leads to passkeys", async () => {
    const { page, person } = await world.enter("admin", PHONE);
    await giveFactor(world.server, person);
    const [code = ""] = await world.ctx.transaction((tx) => replaceRecoveryCodes(tx, person.id));
    await page.goto(`${world.network.url}/policies/new`);
    await page.getByLabel("Name", { exact: true }).fill("by two factors");
    await world.endSudo(person);
    await page.getByRole("button", { name: "Create policy" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Code of your second factor").fill("000000");
    await dialog.getByLabel("Password").fill(person.password);
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await dialog.locator('[name="code"][aria-invalid="true"]').waitFor();
    await expectAccessible(page);
    const link = dialog.getByRole("link", { name: "Use a passkey instead" });
    expect(await link.getAttribute("href")).toBe("/users/confirm-password?return_to=%2Fpolicies%2Fnew");
    await dialog.getByLabel("Code of your second factor").fill(code);
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.getByRole("heading", { level: 1, name: "by two factors" }).waitFor();
    await page.context().close();
  });

  it("says where to add one when the workspace begins to require it", async () => {
    const { page } = await world.enter("viewer", PHONE);
    await world.waitUntilLive(page);
    await updateWorkspace(world.ctx, { requireMfa: true });
    await page.getByText("Your workspace requires a second factor.", { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole("link", { name: "Add a second factor" }).click();
    await page.waitForURL(`${world.network.url}/settings/security`);
    await expectAccessible(page);
    await page.context().close();
  });
});

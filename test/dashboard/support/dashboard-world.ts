import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Role } from "../../../src/domain/kernel/scopes.ts";
import { type PageWorld, openPageWorld } from "../../pages/support/page-world.ts";
import { openBrowser, openWindow } from "../../support/browser.ts";
import { type TestNetwork, openNetwork } from "../../support/test-network.ts";
import { buildDashboard } from "../../support/build-dashboard.ts";
import { type TestPerson, beginTestSession } from "../../support/people.ts";

/** A server with a workspace, and a browser for its dashboard. */
export type DashboardWorld = Omit<PageWorld, "enter"> & {
  /** The proxy between browsers and the server. Agents connect directly. */
  network: TestNetwork;
  browser: Browser;
  /** Console errors of the pages. Tests expect none. */
  complaints: string[];
  /** A window of a newly logged-in user, at the start page. */
  enter: (role?: Role, options?: BrowserContextOptions) => Promise<{ page: Page; person: TestPerson }>;
  /** Waits until the page receives events. */
  waitUntilLive: (page: Page) => Promise<void>;
};

/** The size of a phone. */
export const PHONE = { viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true };

/** Opens one. Builds the dashboard as `npm start` does if it is out of date. */
export async function openDashboardWorld(environment: Record<string, string> = {}): Promise<DashboardWorld> {
  await buildDashboard();
  const network = await openNetwork();
  const world = await openPageWorld({ ...environment, PUBLIC_BASE_URL: network.url });
  network.leadTo(world.server.url);
  const browser = await openBrowser();
  const complaints: string[] = [];
  return {
    ...world,
    network,
    browser,
    complaints,
    enter: async (role, options) => {
      const person = await world.person(role);
      const page = await openWindow(browser, complaints, options);
      const token = await beginTestSession(world.server, person);
      await page.context().addCookies([{ name: "_agent_ops_key", value: token, url: network.url }]);
      await page.goto(network.url);
      await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
      return { page, person };
    },
    waitUntilLive: (page) => page.getByText("Live", { exact: true }).waitFor(),
    close: async () => {
      await browser.close();
      await network.close();
      await world.close();
    },
  };
}

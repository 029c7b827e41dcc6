import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Role } from "../../../src/domain/scopes.ts";
import { type House, openHouse } from "../../pages/support/house.ts";
import { openBrowser, openWindow } from "../../support/browser.ts";
import { type Network, openNetwork } from "../../support/network.ts";
import { buildDashboard } from "../../support/build-dashboard.ts";
import type { Person } from "../../support/people.ts";

/** A server with a workspace, and a browser to look at its dashboard. */
export type DashboardHouse = Omit<House, "enter"> & {
  /** Browsers reach the server by it alone; agents don't. */
  network: Network;
  browser: Browser;
  /** What pages complained about on their consoles. A test expects none. */
  complaints: string[];
  /** A window of somebody who has just logged in, at the start. */
  enter: (role?: Role, options?: BrowserContextOptions) => Promise<{ page: Page; person: Person }>;
  /** Waits until the page hears of what happens. */
  waitUntilLive: (page: Page) => Promise<void>;
};

/** The room of a phone. */
export const PHONE = { viewport: { width: 375, height: 800 }, isMobile: true, hasTouch: true };

/** Opens one. The dashboard is built as `npm start` builds it, where it is out of date. */
export async function openDashboardHouse(): Promise<DashboardHouse> {
  await buildDashboard();
  const network = await openNetwork();
  const house = await openHouse({ PUBLIC_BASE_URL: network.url });
  network.leadTo(house.server.url);
  const browser = await openBrowser();
  const complaints: string[] = [];
  return {
    ...house,
    network,
    browser,
    complaints,
    enter: async (role, options) => {
      const person = await house.person(role);
      const page = await openWindow(browser, complaints, options);
      await page.goto(network.url);
      await page.getByLabel("Email").fill(person.email);
      await page.getByLabel("Password").fill(person.password);
      await page.getByRole("button", { name: "Log in" }).click();
      await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
      return { page, person };
    },
    waitUntilLive: (page) => page.getByText("Live", { exact: true }).waitFor(),
    close: async () => {
      await browser.close();
      await network.close();
      await house.close();
    },
  };
}

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible, openBrowser, openWindow } from "../support/browser.ts";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";
import { openVisitor } from "./support/test-visitor.ts";

describe.skipIf(LACKS_BROWSER)("/dev/mailbox in a browser", () => {
  let world: PageWorld;
  let browser: Browser;
  const complaints: string[] = [];

  beforeAll(async () => {
    world = await openPageWorld({ NODE_ENV: "development" });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  it.each([1280, 375])(
    "shows an email in light and dark mode, %d pixels wide",
    async (width) => {
      const { email } = await world.person();
      await openVisitor(world.server.url).submit("/users/forgot-password", { email });
      await world.findEmail(email, /password/i);
      const page = await openWindow(browser, complaints, { viewport: { width, height: 800 } });
      await page.goto(`${world.server.url}/dev/mailbox`);
      await expectAccessible(page);
      await page.getByRole("row", { name: email }).getByRole("link").click();
      await expectAccessible(page);
      const iframe = page.locator("iframe");
      const ground = () => iframe.evaluate((frame) => getComputedStyle(frame).backgroundColor);
      await page.emulateMedia({ colorScheme: "light" });
      expect(await ground()).toBe("rgb(255, 255, 255)");
      // The email's text is white in dark mode.
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await ground()).toBe("rgb(22, 25, 31)");
      await iframe.contentFrame().getByRole("link", { name: "Set a new password" }).waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    60_000,
  );
});

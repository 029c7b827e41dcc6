import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LACKS_BROWSER, expectAccessible, openBrowser, openWindow } from "../support/browser.ts";
import { type House, openHouse } from "./support/house.ts";
import { openVisitor } from "./support/visitor.ts";

describe.skipIf(LACKS_BROWSER)("/dev/mailbox in a browser", () => {
  let house: House;
  let browser: Browser;
  const complaints: string[] = [];

  beforeAll(async () => {
    house = await openHouse({ NODE_ENV: "development" });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await house.close();
  });

  it.each([1280, 375])(
    "shows a letter by day and by night, %d pixels wide",
    async (width) => {
      const { email } = await house.person();
      await openVisitor(house.server.url).submit("/users/forgot-password", { email });
      await house.letterTo(email, /password/i);
      const page = await openWindow(browser, complaints, { viewport: { width, height: 800 } });
      await page.goto(`${house.server.url}/dev/mailbox`);
      await expectAccessible(page);
      await page.getByRole("row", { name: email }).getByRole("link").click();
      await expectAccessible(page);
      const letter = page.locator("iframe");
      const ground = () => letter.evaluate((frame) => getComputedStyle(frame).backgroundColor);
      await page.emulateMedia({ colorScheme: "light" });
      expect(await ground()).toBe("rgb(255, 255, 255)");
      // The letter's ink is white by night.
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await ground()).toBe("rgb(22, 25, 31)");
      await letter.contentFrame().getByRole("link", { name: "Set a new password" }).waitFor();
      expect(complaints).toEqual([]);
      await page.context().close();
    },
    60_000,
  );
});

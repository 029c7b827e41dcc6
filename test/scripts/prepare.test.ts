import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { buildDashboard } from "../support/build-dashboard.ts";

const ASSETS = path.resolve(import.meta.dirname, "../../dist/dashboard/assets");

beforeAll(buildDashboard, 120_000);

describe("scripts/prepare.mjs", () => {
  it("builds the dashboard with the libraries' production builds, whatever NODE_ENV is", async () => {
    const files = (await readdir(ASSETS)).filter((name) => /^libraries-.*\.js$/.test(name));
    expect(files).not.toEqual([]);
    for (const file of files) {
      const text = await readFile(path.join(ASSETS, file), "utf8");
      // Part of React's production build instead of its messages.
      expect(text.includes("Minified React error"), file).toBe(true);
    }
  });
});

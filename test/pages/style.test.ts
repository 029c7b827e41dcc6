import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageWorld, openPageWorld } from "./support/page-world.ts";

let world: PageWorld;

beforeAll(async () => {
  world = await openPageWorld();
});

afterAll(() => world.close());

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(world.server.url + path, { headers });
}

describe("/assets/typeface.css", () => {
  it("names a file of this server for each set of scripts", async () => {
    const sheet = await get("/assets/typeface.css");
    expect(sheet.headers.get("content-type")).toBe("text/css; charset=utf-8");
    const paths = [...(await sheet.text()).matchAll(/url\(([^)]+)\)/g)].map(([, path = ""]) => path);
    expect(paths.length).toBeGreaterThanOrEqual(7);
    for (const path of paths) {
      expect(path).toMatch(/^\/assets\/[0-9a-f]{16}\/inter-[a-z-]+-wght-normal\.woff2$/);
      const file = await get(path);
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "font/woff2"]);
      expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(Buffer.from(await file.arrayBuffer()).toString("latin1", 0, 4)).toBe("wOF2");
    }
  });
});

describe("/assets/theme.css", () => {
  it.each([
    ["theme=dark", "html:root { color-scheme: dark }\n"],
    ["a=b; theme=light; c=d", "html:root { color-scheme: light }\n"],
    ["theme=system", ""],
    ["theme=dark}body{display:none", ""],
    ["", ""],
  ])("has the theme of the cookie: %s", async (cookie, rule) => {
    const sheet = await get("/assets/theme.css", { cookie });
    expect(await sheet.text()).toBe(rule);
    expect(sheet.headers.get("cache-control")).toBe("private, no-cache");
    expect(sheet.headers.get("vary")).toBe("cookie");
  });
});

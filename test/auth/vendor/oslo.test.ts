import { readFile, readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);

describe("lucia and oslo", () => {
  it("are imported only by src/auth/vendor", async () => {
    const importers: string[] = [];
    for (const folder of ["src", "compat", "scripts"]) {
      const files = await readdir(new URL(folder, ROOT), { recursive: true });
      for (const file of files.filter((name) => /\.[mc]?[jt]sx?$/.test(name))) {
        const text = await readFile(new URL(`${folder}/${file}`, ROOT), "utf8");
        if (/(?:from|import|require)\s*\(?\s*["'](?:oslo|lucia)(?:\/[^"']*)?["']/.test(text)) {
          importers.push(`${folder}/${file}`);
        }
      }
    }
    expect(importers.toSorted()).toEqual(["src/auth/vendor/lucia.ts", "src/auth/vendor/oslo.ts"]);
  });
});

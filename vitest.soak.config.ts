import { readFileSync, readdirSync } from "node:fs";
import { defineConfig, mergeConfig } from "vitest/config";
import config from "./vitest.config.ts";

const propertyTests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => `test/${file}`)
  .filter((file) => readFileSync(file, "utf8").includes('"fast-check"'));

/** The long forms of fault tests, and ten times the cases of property tests, new ones each run: `npm run soak`. */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  defineConfig({
    test: {
      include: ["test/soak/**/*.soak.ts", ...propertyTests],
      maxWorkers: 1,
      testTimeout: 600_000,
      provide: { propertyRuns: 10 },
    },
  }),
);

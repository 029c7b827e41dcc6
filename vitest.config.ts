import { createRequire } from "node:module";
import { defineConfig } from "vitest/config";
import { PATIENCE } from "./test/support/patience.ts";

/** .ci/run reads the counts from it. */
const report = "node_modules/.cache/agent-ops/vitest.json";

export default defineConfig({
  resolve: {
    // Node gives the packages graphql/index.js; Vite would give our files index.mjs, a second realm
    // whose types the first refuses.
    alias: [{ find: /^graphql$/, replacement: createRequire(import.meta.url).resolve("graphql") }],
  },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/global-setup.ts"],
    setupFiles: ["test/support/property-runs.ts"],
    pool: "forks",
    maxWorkers: 2,
    // Loading the product again for each file would take a third of the run. A file leaves nothing behind.
    isolate: false,
    restoreMocks: true,
    // A machine that is busy with something else takes its time; what hangs is ended all the same.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: PATIENCE },
    // What passes at its second attempt is reported as such: a race of the test's own, to be mended, and no fault of a change.
    retry: process.env["CI"] ? { count: 1, delay: 2000 } : 0,
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: report }]] : ["default"],
  },
});

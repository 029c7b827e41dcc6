import { createRequire } from "node:module";
import { defineConfig } from "vitest/config";

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
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    reporters: process.env["CI"] ? ["default", ["json", { outputFile: report }]] : ["default"],
  },
});

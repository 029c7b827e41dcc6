/**
 * Changes a file in many small ways, one at a time, and says which changes its tests don't notice:
 * `npm run mutate -- src/auth/password-rules.ts`. Its tests are those of the same name; others follow the file:
 * `npm run mutate -- src/auth/scope-list.ts test/auth/api-keys/create-api-key.test.ts`.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

// The last version that runs on Node 20. It is not among the dependencies: it weighs 105 MB and runs by hand.
const VERSION = "9.6.1";

const files = process.argv.slice(2);
const sources = files.filter((file) => !file.endsWith(".test.ts"));
const tests = files.filter((file) => file.endsWith(".test.ts"));
const missing = files.find((file) => !existsSync(file));
if (sources.length === 0 || missing !== undefined) {
  console.error(missing === undefined ? "Which file?" : `There is no ${missing}.`);
  process.exit(1);
}
if (tests.length === 0) tests.push(...sources.map(toTestPath));

const packages = ["core", "vitest-runner"].map((name) => `--package=@stryker-mutator/${name}@${VERSION}`);
const options = {
  testRunner: "vitest",
  mutate: sources.join(","),
  testFiles: tests.join(","),
  // Tests have one PostgreSQL, and its limits are not for several runs.
  concurrency: "1",
  coverageAnalysis: "perTest",
  // With a tsconfig.json, Stryker would want TypeScript beside itself; the tests need none.
  ignorePatterns: "/dist,/data,/bench,/tsconfig*.json",
  reporters: "clear-text",
  cleanTempDir: "always",
};
// Changes of what a module computes when it is loaded come too late under vitest 4, and would all seem unnoticed.
const flags = [...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]), "--ignoreStatic"];
const { status } = spawnSync("npm", ["exec", "--yes", ...packages, "--", "stryker", "run", ...flags], {
  stdio: "inherit",
});
process.exit(status ?? 1);

/** @param {string} file */
function toTestPath(file) {
  return file.replace(/^src\//, "test/").replace(/\.ts$/, ".test.ts");
}

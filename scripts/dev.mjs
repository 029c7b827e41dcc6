/**
 * Serves what is being worked on: the server starts anew with each change of its sources, and the dashboard
 * is built anew with each change of its own. Run by `npm run dev`.
 */
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

process.chdir(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
await build({
  configFile: "src/dashboard/vite.config.ts",
  logLevel: "warn",
  build: { watch: {}, outDir: path.resolve("dist/dashboard") },
});
const server = spawn(process.execPath, ["node_modules/tsx/dist/cli.mjs", "watch", "src/main.ts"], {
  env: { ...process.env, NODE_ENV: "development" },
  stdio: "inherit",
});
// Ctrl-C reaches the server by itself, which then stops cleanly.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => server.kill("SIGTERM"));
server.on("close", (code) => {
  process.exit(code ?? 0);
});

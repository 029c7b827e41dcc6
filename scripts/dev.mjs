/**
 * Runs the development servers: restarts the server when its sources change, and rebuilds the dashboard
 * when its own change. Run by `npm run dev`.
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
// Ctrl-C also reaches the server, which then stops cleanly.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => server.kill("SIGTERM"));
server.on("close", (code) => {
  process.exit(code ?? 0);
});

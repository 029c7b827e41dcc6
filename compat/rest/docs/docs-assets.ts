import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The page's style and script, which are within it. */
export const STYLE = readAsset("docs.css");
export const SCRIPT = readAsset("docs.js");

/** Allows the page's own style and script, by their hashes, and nothing else. */
export const DOCS_POLICY = `default-src 'none'; style-src '${digest(STYLE)}'; script-src '${digest(SCRIPT)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

function readAsset(name: string): string {
  return readFileSync(new URL(name, import.meta.url), "utf8");
}

function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { ICON_SVG } from "../parts/logo.ts";

/** A file whose URL contains its hash, so it never changes. */
export type Asset = { path: string; type: string; body: string | Uint8Array<ArrayBuffer> };

const SHEETS = ["tokens", "base", "form", "parts", "table", "layout"];

/** The stylesheet of all pages. */
export const STYLESHEET = createAsset("style.css", "text/css; charset=utf-8", readSheets());

/** The favicon. */
export const ICON = createAsset("icon.svg", "image/svg+xml", ICON_SVG);

/** Gives a file its URL. */
export function createAsset<Body extends Asset["body"]>(
  name: string,
  type: string,
  body: Body,
): Asset & { body: Body } {
  const hash = createHash("sha256").update(body).digest("hex").slice(0, 16);
  return { path: `/assets/${hash}/${name}`, type, body };
}

function readSheets(): string {
  return SHEETS.map((sheet) => readFileSync(new URL(`${sheet}.css`, import.meta.url), "utf8")).join("\n");
}

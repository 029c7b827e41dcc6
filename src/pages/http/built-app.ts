import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Context } from "hono";
import type { HttpEnv } from "../../http/request.ts";
import { takesGzip } from "../../http/takes-gzip.ts";

/** A file of a built app, plain and gzipped. */
type BuiltFile = { type: string; body: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer> };

export type AppName = "dashboard" | "explorer";

/** What Vite built to run in browsers: its HTML page, and its assets by name. */
export type BuiltApp = { page: BuiltFile; assets: ReadonlyMap<string, BuiltFile> };

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** scripts/prepare.mjs puts it next to the built server; a server run from source finds it in dist/. */
const PLACES = ["../../../", "../../../dist/"].map((place) => fileURLToPath(new URL(place, import.meta.url)));

/** Reads a whole app into memory, so that a later build changes nothing. Null if there is no build. */
export function readBuiltApp(name: AppName): BuiltApp | null {
  const folder = findFolder(name);
  if (folder === null) return null;
  const names = readdirSync(`${folder}assets`).filter((file) => TYPES[getExtension(file)] !== undefined);
  return {
    page: readFile(`${folder}index.html`),
    assets: new Map(names.map((file) => [file, readFile(`${folder}assets/${file}`)])),
  };
}

/** Reads the text of one file of an app, outside of its assets. Null if there is no build. */
export function readBuiltText(name: AppName, file: string): string | null {
  const folder = findFolder(name);
  return folder === null ? null : readFileSync(`${folder}${file}`, "utf8");
}

function findFolder(name: AppName): string | null {
  return PLACES.map((place) => `${place}${name}/`).find((place) => existsSync(`${place}index.html`)) ?? null;
}

/** Answers with a file whose name changes with its content, or 404. */
export function answerAsset<Env extends HttpEnv>(
  c: Context<Env>,
  app: BuiltApp | null,
): Response | Promise<Response> {
  const asset = app?.assets.get(c.req.param("name") ?? "");
  if (asset === undefined) return c.notFound();
  c.header("cache-control", "public, max-age=31536000, immutable");
  c.header("cross-origin-resource-policy", "same-origin");
  c.header("x-content-type-options", "nosniff");
  return answerFile(c, asset);
}

/** Answers with a file, gzipped if the caller accepts it. */
export function answerFile<Env extends HttpEnv>(c: Context<Env>, { type, body, gzip }: BuiltFile): Response {
  c.header("content-type", type);
  c.header("vary", "accept-encoding");
  if (!takesGzip(c)) return c.body(body);
  c.header("content-encoding", "gzip");
  return c.body(gzip);
}

function readFile(file: string): BuiltFile {
  return {
    type: TYPES[getExtension(file)] ?? "application/octet-stream",
    body: new Uint8Array(readFileSync(file)),
    gzip: new Uint8Array(readFileSync(`${file}.gz`)),
  };
}

function getExtension(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

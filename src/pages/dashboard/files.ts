import { existsSync, readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A file of the built dashboard, plain and gzipped. */
export type DashboardFile = { type: string; body: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer> };

/** The built dashboard: its HTML page, and its assets by path. */
export type Dashboard = { page: DashboardFile; assets: ReadonlyMap<string, DashboardFile> };

const TYPES: Record<string, string> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
};

/** scripts/prepare.mjs puts it next to the built server; a server run from source finds it in dist/. */
const PLACES = ["../../../dashboard/", "../../../dist/dashboard/"].map((place) =>
  fileURLToPath(new URL(place, import.meta.url)),
);

/** Reads the whole dashboard into memory, so that a later build changes nothing. Null if there is no build. */
export function readDashboard(): Dashboard | null {
  const folder = PLACES.find((place) => existsSync(`${place}index.html`));
  if (folder === undefined) return null;
  const names = readdirSync(`${folder}assets`).filter((name) => TYPES[getExtension(name)] !== undefined);
  return {
    page: readFile(`${folder}index.html`),
    assets: new Map(names.map((name) => [name, readFile(`${folder}assets/${name}`)])),
  };
}

function readFile(file: string): DashboardFile {
  return {
    type: TYPES[getExtension(file)] ?? "application/octet-stream",
    body: new Uint8Array(readFileSync(file)),
    gzip: new Uint8Array(readFileSync(`${file}.gz`)),
  };
}

function getExtension(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

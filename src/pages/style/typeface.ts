import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Asset, createAsset } from "./assets.ts";

/** The stylesheet of the typeface: Inter, one file for each set of scripts, which browsers load when they need it. */
export const TYPEFACE_PATH = "/assets/typeface.css";

export type Typeface = { stylesheet: string; files: readonly Asset[] };

/** Reads the typeface from its package. */
export function readTypeface(): Typeface {
  const sheet = import.meta.resolve("@fontsource-variable/inter/wght.css");
  const files: Asset[] = [];
  const stylesheet = readFileSync(fileURLToPath(sheet), "utf8").replaceAll(
    /url\(\.\/files\/([\w-]+\.woff2)\)/g,
    (_url, name: string) => {
      const body = new Uint8Array(readFileSync(new URL(`files/${name}`, sheet)));
      const file = createAsset(name, "font/woff2", body);
      files.push(file);
      return `url(${file.path})`;
    },
  );
  return { stylesheet, files };
}

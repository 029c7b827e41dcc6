import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** Writes a gzipped copy of each file, so that the server doesn't compress anything. */
export function compressFiles(): Plugin {
  return {
    name: "compressed",
    writeBundle({ dir = "" }) {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        if (!/\.(js|css|html|svg)$/.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
      }
    },
  };
}

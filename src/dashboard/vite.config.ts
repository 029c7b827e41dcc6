import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { type Plugin, defineConfig } from "vite";

/** Builds the dashboard. scripts/prepare.mjs and scripts/dev.mjs set the output folder. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressFiles()],
  build: {
    target: "es2023",
    emptyOutDir: true,
    // The content security policy allows neither inline scripts nor data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "libraries", test: /node_modules[\\/](react|react-dom|scheduler|urql|@urql)[\\/]/ },
          ],
        },
      },
    },
  },
});

/** Writes a gzipped copy of each file, so that the server doesn't compress anything. */
function compressFiles(): Plugin {
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

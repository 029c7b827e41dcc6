import path from "node:path";
import react from "@vitejs/plugin-react";
import lucide from "@iconify-json/lucide/icons.json" with { type: "json" };
import { defineConfig } from "vite";
import { compressFiles } from "../../scripts/compress-files.ts";
import { ICON_NAMES } from "./ui/icon/icon-names.ts";

/** Builds the dashboard, and what it puts around the settings. scripts/prepare.mjs and scripts/dev.mjs set the output folder. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressFiles()],
  define: { ICONS: JSON.stringify(pickIcons()) },
  build: {
    target: "es2023",
    // The first with light-dark().
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    emptyOutDir: true,
    // Tells the server which files a view has.
    manifest: "manifest.json",
    // The content security policy allows neither inline scripts nor data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ["index.html", "settings.html"].map((page) => path.join(import.meta.dirname, page)),
      output: {
        codeSplitting: {
          groups: [
            { name: "libraries", test: /node_modules[\\/](react|react-dom|scheduler|urql|@urql)[\\/]/ },
            // Many small files would each cost a request. Charts aren't in it: they load the plot.
            { name: "shared", test: /src[\\/]dashboard[\\/](?!ui[\\/]chart)/, minShareCount: 4 },
          ],
        },
      },
    },
  },
});

/** The SVG of each icon. The package has two thousand. */
function pickIcons(): Record<string, string> {
  return Object.fromEntries(ICON_NAMES.map((name) => [name, lucide.icons[name].body]));
}

import path from "node:path";
import react from "@vitejs/plugin-react";
import { type Plugin, defineConfig } from "vite";
import { compressFiles } from "../../scripts/compress-files.ts";

/** Builds the GraphQL explorer. scripts/prepare.mjs sets the output folder. */
export default defineConfig({
  root: import.meta.dirname,
  base: "/graphql/explorer/",
  resolve: { alias: { "react-style-singleton": path.join(import.meta.dirname, "no-styles.ts") } },
  plugins: [react(), withoutTypefaces(), compressFiles()],
  build: {
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    emptyOutDir: true,
    // The content security policy allows neither inline scripts nor data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

/** Removes the typefaces that GraphiQL's stylesheet has as data: URLs. Pages have one of their own. */
function withoutTypefaces(): Plugin {
  return {
    name: "without-typefaces",
    enforce: "pre",
    transform: (code, id) =>
      id.endsWith("graphiql/dist/style.css") ? code.replaceAll(/@font-face\s*\{[^}]*\}/g, "") : null,
  };
}

import { readFileSync } from "node:fs";
import { createAsset } from "../style/assets.ts";

/** The script of pages that make or use passkeys, the only one besides the dashboard's. */
export const PASSKEY_SCRIPT = createAsset(
  "passkey.js",
  "text/javascript; charset=utf-8",
  readFileSync(new URL("passkey.js", import.meta.url), "utf8"),
);

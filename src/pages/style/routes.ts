import { type Context, Hono } from "hono";
import { readCookies } from "../../http/cookies.ts";
import type { HttpEnv } from "../../http/request.ts";
import { PASSKEY_SCRIPT } from "../passkey/script.ts";
import { type Asset, ICON, STYLESHEET } from "./assets.ts";
import { THEME_COOKIE, THEME_PATH, renderTheme } from "./theme.ts";
import { TYPEFACE_PATH, readTypeface } from "./typeface.ts";

const CSS = "text/css; charset=utf-8";
const DAY = "public, max-age=86400";
const FOREVER = "public, max-age=31536000, immutable";

/** /assets: the stylesheets, typeface, icon and script. */
export function assetRoutes(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const { stylesheet, files } = readTypeface();
  for (const asset of [STYLESHEET, ICON, PASSKEY_SCRIPT, ...files])
    app.get(asset.path, (c) => answer(c, asset, FOREVER));
  app.get(TYPEFACE_PATH, (c) => answer(c, { type: CSS, body: stylesheet }, DAY));
  app.get(THEME_PATH, (c) => {
    const [theme] = readCookies(c.req.header("cookie"), THEME_COOKIE);
    c.header("vary", "cookie");
    return answer(c, { type: CSS, body: renderTheme(theme) }, "private, no-cache");
  });
  return app;
}

function answer(c: Context<HttpEnv>, { type, body }: Omit<Asset, "path">, caching: string): Response {
  c.header("content-type", type);
  c.header("cache-control", caching);
  c.header("cross-origin-resource-policy", "same-origin");
  return c.body(body);
}

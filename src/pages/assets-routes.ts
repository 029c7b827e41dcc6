import { Hono } from "hono";
import type { HttpEnv } from "../http/request.ts";
import { ICON, STYLESHEET } from "./style/assets.ts";

/** /assets: the style and the mark, which never change under their addresses. */
export function assetRoutes(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  for (const { path, type, body } of [STYLESHEET, ICON]) {
    app.get(path, (c) =>
      c.body(body, 200, {
        "content-type": type,
        "cache-control": "public, max-age=31536000, immutable",
        "cross-origin-resource-policy": "same-origin",
      }),
    );
  }
  return app;
}

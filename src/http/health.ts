import { Hono } from "hono";
import type { HttpEnv } from "./request.ts";

/** Serves /healthz, 200 while the process answers, and /readyz, 200 or 503. */
export function healthRoutes(isReady: () => Promise<boolean>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) =>
    (await isReady())
      ? c.json({ status: "ready" })
      : c.json({ status: "unavailable" }, 503, { "retry-after": "2" }),
  );
  return app;
}

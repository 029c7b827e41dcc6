import type { Context, Hono } from "hono";
import { DomainError } from "../../domain/kernel/errors.ts";
import type { HttpEnv } from "../../http/request.ts";
import type { PageHandler } from "../page-env.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

/** Adds a page with a handler per method. Other methods get 405. */
export function pageRoute<Env extends HttpEnv>(
  app: Hono<Env>,
  path: string,
  handlers: Partial<Record<Method, PageHandler<Env>>>,
): void {
  // The keys of a typed record are its names.
  const methods = Object.keys(handlers) as Method[];
  for (const method of methods) {
    const handler = handlers[method];
    if (handler !== undefined) app.on(method, path, handler);
  }
  app.all(path, (c: Context<Env>) => {
    c.header(
      "allow",
      methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", "),
    );
    throw new DomainError("method_not_allowed", "This page doesn't support this method.");
  });
}

import type { Context } from "hono";
import type { Ctx } from "../domain/kernel/context.ts";
import type { HttpEnv } from "../http/request.ts";

/** Hono environment of pages that require a session. */
export type PageEnv = {
  Bindings: HttpEnv["Bindings"];
  Variables: HttpEnv["Variables"] & { ctx: Ctx };
};

/** Handles one method of a page. */
export type PageHandler<Env extends HttpEnv = HttpEnv> = (c: Context<Env>) => Response | Promise<Response>;

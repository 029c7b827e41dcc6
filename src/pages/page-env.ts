import type { Context } from "hono";
import type { Ctx } from "../domain/kernel/context.ts";
import type { HttpEnv } from "../http/request.ts";

/** What a page of somebody who is logged in finds in its context. */
export type PageEnv = {
  Bindings: HttpEnv["Bindings"];
  Variables: HttpEnv["Variables"] & { ctx: Ctx };
};

/** Answers one method of a page. */
export type PageHandler<Env extends HttpEnv = HttpEnv> = (c: Context<Env>) => Response | Promise<Response>;

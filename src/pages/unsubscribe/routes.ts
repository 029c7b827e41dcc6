import { type Context, Hono } from "hono";
import { getClientInfo } from "../../auth/sessions/identify-session.ts";
import { readUnsubscription, unsubscribe } from "../../auth/unsubscribe/unsubscribe.ts";
import type { HttpEnv } from "../../http/request.ts";
import { answerPage } from "../http/answer.ts";
import { pageRoute } from "../http/page-route.ts";
import type { PagesServices } from "../pages-services.ts";
import { invalidUnsubscribeView, unsubscribeView, unsubscribedView } from "./view.ts";

/**
 * /users/unsubscribe/:token: ends emails. Viewing the page ends nothing. Mail programs send the POST by themselves, with
 * a body that says nothing more and is not read.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8058
 */
export function unsubscribeRoutes(services: PagesServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/users/unsubscribe/:token", {
    GET: async (c) => {
      const found = await readUnsubscription(services, getToken(c));
      return answerPage(c, found === null ? invalidUnsubscribeView() : unsubscribeView(found));
    },
    POST: async (c) => {
      const ended = await unsubscribe(services, getToken(c), getClientInfo(c));
      return answerPage(c, ended === null ? invalidUnsubscribeView() : unsubscribedView(ended));
    },
  });
  return app;
}

function getToken(c: Context<HttpEnv>): string {
  return c.req.param("token") ?? "";
}

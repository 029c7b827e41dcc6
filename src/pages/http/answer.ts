import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type DomainError, ERRORS } from "../../domain/kernel/errors.ts";
import type { HttpEnv } from "../../http/request.ts";
import type { Html } from "../html.ts";

/** Responds with a page. */
export function answerPage<Env extends HttpEnv>(
  c: Context<Env>,
  page: Html,
  status: ContentfulStatusCode = 200,
): Response {
  return c.body(page.text, status, { "content-type": "text/html; charset=utf-8" });
}

/** Responds to a rejected form with a page and the error's status. */
export function answerFormError<Env extends HttpEnv>(
  c: Context<Env>,
  page: Html,
  { code }: DomainError,
): Response {
  if (code === "unavailable") c.header("retry-after", "2");
  // The rest of the body isn't read, so the connection can't be reused.
  if (code === "payload_too_large") c.header("connection", "close");
  return answerPage(c, page, ERRORS[code].status);
}

/** Redirects to another page with GET. */
export function goTo<Env extends HttpEnv>(c: Context<Env>, path: string): Response {
  return c.redirect(path, 303);
}

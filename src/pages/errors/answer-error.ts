import type { Context } from "hono";
import { DomainError, ERRORS } from "../../domain/errors.ts";
import { refusalOf } from "../../domain/failure.ts";
import type { HttpEnv } from "../../http/request.ts";
import { confirmPasswordView } from "../confirm-password/view.ts";
import { answerPage, answerRefusal, goTo } from "../http/answer.ts";
import { logInPath } from "../http/own-path.ts";
import { errorView } from "./view.ts";

/** Answers a request that no page could be shown for. */
export function answerError(error: unknown, c: Context<HttpEnv>): Response {
  const refusal = refusalOf(error);
  if (refusal === null) c.get("log").error({ err: error }, "a page failed");
  const shown =
    refusal ?? new DomainError("internal", "Something went wrong on our side. It has been noted.");
  const { title } = ERRORS[shown.code];
  if (shown.code === "unauthenticated") return goTo(c, logInPath(c.req.path));
  if (shown.code === "sudo_required") {
    const form = confirmPasswordView({ returnTo: c.req.path, errors: null, isInterrupted: true });
    return answerRefusal(c, form, shown);
  }
  const requestId = shown.code === "internal" ? c.get("requestId") : null;
  return answerRefusal(c, errorView({ title, detail: shown.message, requestId }), shown);
}

/** Answers for a page that does not exist. */
export function answerNotFound(c: Context<HttpEnv>): Response {
  const detail = "The address may be mistyped, or what it showed is gone.";
  return answerPage(c, errorView({ title: "There is no such page", detail, requestId: null }), 404);
}

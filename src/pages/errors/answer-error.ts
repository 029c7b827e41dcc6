import { DomainError, ERRORS } from "../../domain/kernel/errors.ts";
import { toDomainError } from "../../domain/kernel/to-domain-error.ts";
import type { HttpEnv } from "../../http/request.ts";
import { confirmPasswordView } from "../confirm-password/view.ts";
import { type Html, html } from "../html.ts";
import { answerPage, answerFormError, goTo } from "../http/answer.ts";
import { logInPath } from "../http/to-own-path.ts";
import { gatePage } from "../layout/gate-page.ts";
import type { Context } from "hono";

/** The error page for a request. */
export function answerError(error: unknown, c: Context<HttpEnv>): Response {
  const domainError = toDomainError(error);
  if (domainError === null) c.get("log").error({ err: error }, "page failed");
  const shown =
    domainError ?? new DomainError("internal", "Something went wrong on our side. Please try again.");
  const { title } = ERRORS[shown.code];
  if (shown.code === "unauthenticated") return goTo(c, logInPath(c.req.path));
  if (shown.code === "sudo_required") {
    const form = confirmPasswordView({
      returnTo: c.req.path,
      errors: null,
      isInterrupted: true,
      isByProvider: null,
      asksCode: null,
      hasPasskey: false,
    });
    return answerFormError(c, form, shown);
  }
  const requestId = shown.code === "internal" ? c.get("requestId") : null;
  return answerFormError(c, errorView({ title, detail: shown.message, requestId }), shown);
}

/** The page for unknown paths. */
export function answerNotFound(c: Context<HttpEnv>): Response {
  const detail = "The address may be mistyped, or the page may have been removed.";
  return answerPage(c, errorView({ title: "Page not found", detail, requestId: null }), 404);
}

type ErrorProps = {
  title: string;
  detail: string;
  /** Shown for reference in support requests. */
  requestId: string | null;
};

function errorView({ title, detail, requestId }: ErrorProps): Html {
  return gatePage(
    { title },
    html`<div class="stack">
      <div>
        <h1>${title}</h1>
        <p class="soft">${detail}</p>
      </div>
      ${requestId !== null && html`<p class="small soft">If you contact support, include this request id: <code>${requestId}</code>.</p>`}
      <a class="button button-wide" href="/">Go to the dashboard</a>
    </div>`,
  );
}

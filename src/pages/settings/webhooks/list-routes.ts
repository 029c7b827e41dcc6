import { type Context, Hono } from "hono";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { answerFormError, answerPage, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { pageRoute } from "../../http/page-route.ts";
import { readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import type { FormErrors } from "../../parts/form-errors.ts";
import { getNow, toVisitor } from "../frame.ts";
import {
  type EndpointTyped,
  NEW_ENDPOINT,
  endpointFormErrors,
  readTyped,
  toNewEndpoint,
} from "./endpoint-form.ts";
import { CreateEndpoint, ListEndpoints } from "./endpoint-operations.ts";
import { WEBHOOKS, secretMadeView, webhooksView } from "./list-view.ts";

/** /settings/webhooks: where events are sent. */
export function webhookListRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, WEBHOOKS.section, {
    GET: async (c) => answerPage(c, await page(c, { typed: NEW_ENDPOINT, errors: null })),
    POST: async (c) => {
      const typed = readTyped(await readForm(c));
      const tried = await attempt(() => create(c, typed));
      if (tried.error === null) return tried.result;
      const errors = endpointFormErrors(tried.error);
      return answerFormError(c, await page(c, { typed, errors }), tried.error);
    },
  });
  return app;
}

async function create(c: Context<PageEnv>, typed: EndpointTyped): Promise<Response> {
  const ctx = c.get("ctx");
  const { createWebhookEndpoint } = await execute(ctx, CreateEndpoint, { input: toNewEndpoint(typed) });
  const { endpoint, secret } = createWebhookEndpoint;
  if (secret === null) return goTo(c, `${WEBHOOKS.section}/${endpoint.uuid}?notice=added`);
  const visitor = toVisitor(await execute(ctx, ListEndpoints, {}));
  return answerPage(c, secretMadeView({ ...endpoint, visitor, secret, isRotated: false }));
}

async function page(c: Context<PageEnv>, shown: { typed: EndpointTyped; errors: FormErrors | null }) {
  const data = await execute(c.get("ctx"), ListEndpoints, {});
  return webhooksView({
    ...shown,
    visitor: toVisitor(data),
    endpoints: data.webhookEndpoints,
    isSudo: requireUser(c.get("ctx")).session.isSudo,
    now: getNow(c),
    notice: c.req.query("notice"),
  });
}

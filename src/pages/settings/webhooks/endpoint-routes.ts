import { type Context, Hono } from "hono";
import { createFieldError } from "../../../domain/kernel/errors.ts";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import { answerFormError, answerPage, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseWholeNumber } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import { getUuidParam } from "../../http/uuid-param.ts";
import type { PageEnv } from "../../page-env.ts";
import type { FormErrors } from "../../parts/form-errors.ts";
import { getNow, toVisitor } from "../frame.ts";
import { type EndpointTyped, endpointFormErrors, readTyped, toChanges } from "./endpoint-form.ts";
import {
  DeleteEndpoint,
  ReadEndpoint,
  Resend,
  ResendFrom,
  RotateSecret,
  SendTest,
  UpdateEndpoint,
} from "./endpoint-operations.ts";
import { endpointView } from "./endpoint-view.ts";
import { WEBHOOKS, secretMadeView } from "./list-view.ts";

/** /settings/webhooks/:id: shows, changes, disables and deletes an endpoint, and its deliveries. */
export function webhookEndpointRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, `${WEBHOOKS.section}/:id`, {
    GET: async (c) => answerPage(c, await page(c, null)),
    POST: async (c) => {
      const form = await readForm(c);
      const tried = await attempt(() => act(c, form));
      if (tried.error === null) return tried.result;
      const typed = form.one("act") === "update" ? readTyped(form) : null;
      const errors = endpointFormErrors(tried.error);
      return answerFormError(c, await page(c, { typed, errors }), tried.error);
    },
  });
  return app;
}

async function act(c: Context<PageEnv>, form: SubmittedForm): Promise<Response> {
  const ctx = c.get("ctx");
  const uuid = getUuidParam(c, "webhook endpoint");
  const id = toGlobalId("WebhookEndpoint", uuid);
  function say(notice: string): Response {
    return goTo(c, `${WEBHOOKS.section}/${uuid}?notice=${notice}`);
  }
  switch (form.one("act")) {
    case "update":
      await execute(ctx, UpdateEndpoint, { input: { id, ...toChanges(readTyped(form)) } });
      return say("saved");
    case "enable":
      await execute(ctx, UpdateEndpoint, {
        input: { id, enabled: true, fromNow: form.one("from") === "now" },
      });
      return say("enabled");
    case "disable":
      await execute(ctx, UpdateEndpoint, { input: { id, enabled: false } });
      return say("disabled");
    case "rotate":
      return rotate(c, id, parseWholeNumber("overlapSeconds", form.one("overlap_seconds")));
    case "test":
      await execute(ctx, SendTest, { endpointId: id });
      return say("tested");
    case "resend":
      await execute(ctx, Resend, { id: form.one("delivery") });
      return say("resent");
    case "resend-from":
      await execute(ctx, ResendFrom, { id: form.one("delivery") });
      return say("resent");
    case "delete":
      await execute(ctx, DeleteEndpoint, { id });
      return goTo(c, `${WEBHOOKS.section}?notice=deleted`);
    default:
      throw createFieldError("act", "is unknown");
  }
}

async function rotate(c: Context<PageEnv>, id: string, overlapSeconds: number): Promise<Response> {
  const { rotateWebhookSecret } = await execute(c.get("ctx"), RotateSecret, { id, overlapSeconds });
  const { endpoint, secret } = rotateWebhookSecret;
  const visitor = toVisitor(await execute(c.get("ctx"), ReadEndpoint, { id }));
  return answerPage(c, secretMadeView({ ...endpoint, visitor, secret, isRotated: true }));
}

async function page(
  c: Context<PageEnv>,
  refused: { typed: EndpointTyped | null; errors: FormErrors } | null,
) {
  const id = toGlobalId("WebhookEndpoint", getUuidParam(c, "webhook endpoint"));
  const { before } = c.req.query();
  const data = await execute(c.get("ctx"), ReadEndpoint, { id, before: before ?? null });
  const { webhookEndpoint: endpoint, webhookDeliveries } = data;
  const { kind, url, description, eventTypes } = endpoint;
  return endpointView({
    visitor: toVisitor(data),
    endpoint,
    deliveries: webhookDeliveries.deliveries,
    older: webhookDeliveries.hasOlder ? (webhookDeliveries.deliveries.at(-1)?.id ?? null) : null,
    isFirstPage: before === undefined,
    typed: refused?.typed ?? {
      kind,
      url: kind === "CHAT" ? "" : url,
      description,
      eventTypes: eventTypes.join("\n"),
    },
    isSudo: requireUser(c.get("ctx")).session.isSudo,
    now: getNow(c),
    notice: c.req.query("notice"),
    errors: refused?.errors ?? null,
  });
}

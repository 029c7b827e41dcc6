import { type Context, Hono } from "hono";
import { createFieldError } from "../../../domain/kernel/errors.ts";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import { answerPage, answerFormError, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseLines, parseWholeNumber } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import { getUuidParam } from "../../http/uuid-param.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { getNow, toVisitor } from "../frame.ts";
import { ReadKey, RevokeApiKey, RotateApiKey, UpdateApiKey } from "./key-operations.ts";
import { type KeyProps, keyView } from "./key-view.ts";
import { keyMadeView } from "./new-view.ts";

const LIST = "/settings/api-keys";
const LABELS = {
  name: "Name",
  scopes: "Scopes",
  ipAllowlist: "An allowed address",
  overlapSeconds: "The overlap",
};

/** /settings/api-keys/:id: shows, changes, rotates and revokes a key. */
export function keyRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, `${LIST}/:id`, {
    GET: async (c) => answerPage(c, await page(c, null)),
    POST: async (c) => {
      const form = await readForm(c);
      const tried = await attempt(() => act(c, form));
      if (tried.error === null) return tried.result;
      const errors = formErrors(tried.error, LABELS);
      const typed = form.one("act") === "update" ? readTyped(form) : null;
      return answerFormError(c, await page(c, { typed, errors }), tried.error);
    },
  });
  return app;
}

async function act(c: Context<PageEnv>, form: SubmittedForm): Promise<Response> {
  const ctx = c.get("ctx");
  const uuid = getUuidParam(c, "API key");
  const id = toGlobalId("ApiKey", uuid);
  switch (form.one("act")) {
    case "update": {
      const { name, scopes, ipAllowlist } = readTyped(form);
      const input = { id, name: name.trim(), scopes: [...scopes], ipAllowlist: parseLines(ipAllowlist) };
      await execute(ctx, UpdateApiKey, { input });
      return goTo(c, `${LIST}/${uuid}?notice=saved`);
    }
    case "rotate":
      return rotate(c, id, parseWholeNumber("overlapSeconds", form.one("overlap_seconds")));
    case "revoke":
      await execute(ctx, RevokeApiKey, { id });
      return goTo(c, `${LIST}/${uuid}?notice=revoked`);
    default:
      throw createFieldError("act", "is unknown");
  }
}

async function rotate(c: Context<PageEnv>, id: string, overlapSeconds: number): Promise<Response> {
  const { rotateApiKey } = await execute(c.get("ctx"), RotateApiKey, { input: { id, overlapSeconds } });
  const { apiKey, key: secret } = rotateApiKey;
  const data = await execute(c.get("ctx"), ReadKey, { id: toGlobalId("ApiKey", apiKey.uuid) });
  return answerPage(c, keyMadeView({ ...apiKey, visitor: toVisitor(data), secret, isRotated: true }));
}

function readTyped(form: SubmittedForm): KeyProps["typed"] {
  return { name: form.one("name"), scopes: form.all("scopes"), ipAllowlist: form.one("ip_allowlist") };
}

async function page(
  c: Context<PageEnv>,
  refused: { typed: KeyProps["typed"] | null; errors: FormErrors } | null,
) {
  const data = await execute(c.get("ctx"), ReadKey, { id: toGlobalId("ApiKey", getUuidParam(c, "API key")) });
  const { apiKey: key } = data;
  const stored = { name: key.name, scopes: key.scopes, ipAllowlist: key.ipAllowlist.join("\n") };
  return keyView({
    visitor: toVisitor(data),
    key,
    typed: refused?.typed ?? stored,
    isSudo: requireUser(c.get("ctx")).session.isSudo,
    now: getNow(c),
    notice: c.req.query("notice"),
    errors: refused?.errors ?? null,
  });
}

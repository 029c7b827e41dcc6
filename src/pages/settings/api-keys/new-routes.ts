import { type Context, Hono } from "hono";
import { type DomainError, createFieldError } from "../../../domain/kernel/errors.ts";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerFormError, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseLines, parseChoice, parseOptional } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { confirmPasswordPath } from "../../parts/unlock.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { getNow, toVisitor } from "../frame.ts";
import { KEY_EXPIRIES, type NewKeyTyped, keyMadeView, newKeyView } from "./new-view.ts";

const ReadMaker = graphql(
  `
    query ReadMaker {
      ...ViewerFields
    }
  `,
  [ViewerFields],
);

const CreateApiKey = graphql(`
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      key
      apiKey {
        uuid
        name
      }
    }
  }
`);

const PATH = "/settings/api-keys/new";
const EMPTY: NewKeyTyped = { name: "", agentHandle: "", scopes: [], expiresInDays: "90", ipAllowlist: "" };
const LABELS = {
  name: "Name",
  agentHandle: "The agent's handle",
  scopes: "Scopes",
  expiresAt: "The expiry",
  ipAllowlist: "An allowed address",
};
const DAY_MS = 86_400_000;

/** /settings/api-keys/new: creates a key and shows its secret once. */
export function newKeyRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, PATH, {
    GET: async (c) => {
      if (!requireUser(c.get("ctx")).session.isSudo) return goTo(c, confirmPasswordPath(PATH));
      return answerPage(c, await page(c, EMPTY, null));
    },
    POST: async (c) => {
      const typed = readTyped(await readForm(c));
      const tried = await attempt(async () =>
        execute(c.get("ctx"), CreateApiKey, { input: toInput(c, typed) }),
      );
      if (tried.error !== null) {
        const domainError = toFormError(tried.error);
        return answerFormError(c, await page(c, typed, formErrors(domainError, LABELS)), domainError);
      }
      const { apiKey, key: secret } = tried.result.createApiKey;
      const data = await execute(c.get("ctx"), ReadMaker, {});
      return answerPage(c, keyMadeView({ ...apiKey, visitor: toVisitor(data), secret, isRotated: false }));
    },
  });
  return app;
}

/** Only the agent can be missing. */
function toFormError(domainError: DomainError): DomainError {
  return domainError.code === "not_found"
    ? createFieldError("agentHandle", "doesn't belong to any agent")
    : domainError;
}

function readTyped(form: SubmittedForm): NewKeyTyped {
  return {
    name: form.one("name"),
    agentHandle: form.one("agent_handle"),
    scopes: form.all("scopes"),
    expiresInDays: form.one("expires_in_days"),
    ipAllowlist: form.one("ip_allowlist"),
  };
}

function toInput(c: Context<PageEnv>, typed: NewKeyTyped) {
  const offered = KEY_EXPIRIES.map(({ value }) => value);
  const days = parseChoice("expiresAt", typed.expiresInDays, offered);
  return {
    name: typed.name.trim(),
    scopes: [...typed.scopes],
    agentHandle: parseOptional(typed.agentHandle),
    ipAllowlist: parseLines(typed.ipAllowlist),
    expiresAt: days === "" ? null : new Date(getNow(c).getTime() + Number(days) * DAY_MS).toISOString(),
  };
}

async function page(c: Context<PageEnv>, typed: NewKeyTyped, errors: FormErrors | null) {
  const data = await execute(c.get("ctx"), ReadMaker, {});
  return newKeyView({ visitor: toVisitor(data), typed, errors });
}

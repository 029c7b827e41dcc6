import { type Context, Hono } from "hono";
import { createNotFoundError } from "../../domain/kernel/errors.ts";
import type { HttpEnv } from "../../http/request.ts";
import { type MailboxEmail, listMailbox, readMailboxEmail } from "../../mail/mailbox.ts";
import { answerPage } from "../http/answer.ts";
import { pageRoute } from "../http/page-route.ts";
import { getUuidParam } from "../http/uuid-param.ts";
import type { PagesServices } from "../pages-services.ts";
import { mailboxEmailView, mailboxView } from "./view.ts";

/** An email may contain its own styles only: no scripts, no forms, nothing external. */
const EMAIL_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";
const FRAME_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** /dev/mailbox: shows the emails that a development server writes to files instead of sending. */
export function mailboxRoutes({ baseUrl }: PagesServices, dataDir: string): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/dev/mailbox", {
    GET: async (c) => answerPage(c, mailboxView(await listMailbox(dataDir))),
  });
  pageRoute(app, "/dev/mailbox/:id", {
    GET: async (c) => {
      const { to, subject, text } = await requireEmail(c, dataDir);
      const links = (text.match(/https?:\/\/\S+/g) ?? []).filter((link) => link.startsWith(`${baseUrl()}/`));
      c.header("content-security-policy", FRAME_POLICY);
      return answerPage(c, mailboxEmailView({ id: getUuidParam(c, "email"), to, subject, text, links }));
    },
  });
  pageRoute(app, "/dev/mailbox/:id/html", {
    GET: async (c) => {
      const { html } = await requireEmail(c, dataDir);
      c.header("content-security-policy", EMAIL_POLICY);
      c.header("x-frame-options", "SAMEORIGIN");
      return c.html(html);
    },
  });
  return app;
}

async function requireEmail(c: Context<HttpEnv>, dataDir: string): Promise<MailboxEmail> {
  const email = await readMailboxEmail(dataDir, getUuidParam(c, "email"));
  if (email === null) throw createNotFoundError("email");
  return email;
}

import { type Context, Hono } from "hono";
import { notFound } from "../../domain/errors.ts";
import type { HttpEnv } from "../../http/request.ts";
import { type MailboxLetter, listMailbox, readMailboxLetter } from "../../mail/mailbox.ts";
import { answerPage } from "../http/answer.ts";
import { pageRoute } from "../http/page-route.ts";
import { uuidIn } from "../http/uuid-in.ts";
import type { PagesServices } from "../pages-services.ts";
import { mailboxLetterView, mailboxView } from "./view.ts";

/** A letter may have styles of its own, and nothing else: no script, no form, nothing from elsewhere. */
const LETTER_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";
const FRAME_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** /dev/mailbox: the letters that a development server keeps instead of sending them. */
export function mailboxRoutes({ baseUrl }: PagesServices, dataDir: string): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  pageRoute(app, "/dev/mailbox", {
    GET: async (c) => answerPage(c, mailboxView(await listMailbox(dataDir))),
  });
  pageRoute(app, "/dev/mailbox/:id", {
    GET: async (c) => {
      const { to, subject, text } = await letterOf(c, dataDir);
      const links = (text.match(/https?:\/\/\S+/g) ?? []).filter((link) => link.startsWith(`${baseUrl()}/`));
      c.header("content-security-policy", FRAME_POLICY);
      return answerPage(c, mailboxLetterView({ id: uuidIn(c, "letter"), to, subject, text, links }));
    },
  });
  pageRoute(app, "/dev/mailbox/:id/html", {
    GET: async (c) => {
      const { html } = await letterOf(c, dataDir);
      c.header("content-security-policy", LETTER_POLICY);
      c.header("x-frame-options", "SAMEORIGIN");
      return c.html(html);
    },
  });
  return app;
}

async function letterOf(c: Context<HttpEnv>, dataDir: string): Promise<MailboxLetter> {
  const letter = await readMailboxLetter(dataDir, uuidIn(c, "letter"));
  if (letter === null) throw notFound("letter");
  return letter;
}

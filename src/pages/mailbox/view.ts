import { type Content, type Html, html } from "../html.ts";
import { renderDocument } from "../layout/document.ts";
import { logo } from "../parts/logo.ts";
import { type HtmlColumn, emptyList, table } from "../parts/table.ts";
import { time } from "../parts/time.ts";

/** An email in the list. */
export type MailboxRow = { id: string; at: Date; to: string; subject: string };

/** An email without its HTML, which has a URL of its own. */
export type MailboxEmailProps = {
  id: string;
  to: string;
  subject: string;
  text: string;
  /** Links in the email that lead to this server. */
  links: readonly string[];
};

/** The list of emails in the mailbox. */
export function mailboxView(emails: readonly MailboxRow[]): Html {
  const list =
    emails.length === 0
      ? emptyList("No emails yet", "Emails appear here as soon as the server sends one.")
      : table("Emails", COLUMNS, emails);
  return mailboxPage(
    "Mailbox",
    html`<h1>Mailbox</h1>
      <p class="soft">Emails this server would have sent. Only available in development.</p>
      ${list}`,
  );
}

export function mailboxEmailView({ id, to, subject, text, links }: MailboxEmailProps): Html {
  return mailboxPage(
    subject,
    html`<p class="crumb"><a href="/dev/mailbox">Mailbox</a></p>
      <h1>${subject}</h1>
      <p class="soft">To ${to}</p>
      ${links.map((link) => html`<p class="email-link"><a href="${link}">${link}</a></p>`)}
      <section class="card stack-s">
        <h2>HTML</h2>
        <iframe class="email-frame" title="Email as HTML" sandbox="" src="/dev/mailbox/${id}/html"></iframe>
      </section>
      <section class="card stack-s">
        <h2>Text</h2>
        <pre class="email-text">${text}</pre>
      </section>`,
  );
}

const COLUMNS: HtmlColumn<MailboxRow>[] = [
  {
    title: "Subject",
    cell: ({ id, subject }) => html`<a class="primary" href="/dev/mailbox/${id}">${subject}</a>`,
  },
  { title: "To", cell: ({ to }) => to },
  { title: "Sent", cell: ({ at }) => time(at.toISOString()) },
];

function mailboxPage(title: string, content: Content): Html {
  return renderDocument(
    { title },
    html`<body>
      <header class="bar"><div class="bar-inner">${logo()}</div></header>
      <div class="frame frame-single"><main class="frame-main">${content}</main></div>
    </body>`,
  );
}

import { type Content, type Html, html } from "../html.ts";
import { renderDocument } from "../layout/document.ts";
import { logo } from "../parts/logo.ts";
import { type HtmlColumn, emptyList, table } from "../parts/table.ts";
import { time } from "../parts/time.ts";

/** A letter in the list. */
export type MailboxRow = { id: string; at: Date; to: string; subject: string };

/** A letter, whole, but for its HTML, which has an address of its own. */
export type MailboxEmailProps = {
  id: string;
  to: string;
  subject: string;
  text: string;
  /** The links of the letter that lead to this server. */
  links: readonly string[];
};

/** The letters that lie in a development server's mailbox. */
export function mailboxView(emails: readonly MailboxRow[]): Html {
  const list =
    emails.length === 0
      ? emptyList("No letters", "None was written yet.")
      : table("Letters", COLUMNS, emails);
  return mailboxPage(
    "Mailbox",
    html`<h1>Mailbox</h1>
      <p class="soft">What this server would have sent. It is shown in development only.</p>
      ${list}`,
  );
}

/** One letter. */
export function mailboxEmailView({ id, to, subject, text, links }: MailboxEmailProps): Html {
  return mailboxPage(
    subject,
    html`<p class="crumb"><a href="/dev/mailbox">Mailbox</a></p>
      <h1>${subject}</h1>
      <p class="soft">To ${to}</p>
      ${links.map((link) => html`<p class="letter-link"><a href="${link}">${link}</a></p>`)}
      <section class="card stack-s">
        <h2>As HTML</h2>
        <iframe
          class="letter-frame"
          title="The letter as HTML"
          sandbox=""
          src="/dev/mailbox/${id}/html"
        ></iframe>
      </section>
      <section class="card stack-s">
        <h2>As text</h2>
        <pre class="letter-text">${text}</pre>
      </section>`,
  );
}

const COLUMNS: HtmlColumn<MailboxRow>[] = [
  {
    title: "Subject",
    cell: ({ id, subject }) => html`<a class="primary" href="/dev/mailbox/${id}">${subject}</a>`,
  },
  { title: "To", cell: ({ to }) => to },
  { title: "When", cell: ({ at }) => time(at.toISOString()) },
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

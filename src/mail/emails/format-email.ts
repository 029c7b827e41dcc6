import { escapeHtml } from "../../http/escape-html.ts";
import type { RenderedEmail } from "./rendered-email.ts";

/** The parts of an email, from top to bottom. */
export type EmailContent = {
  subject: string;
  name: string | null;
  /** Paragraphs before the button. */
  before: readonly string[];
  /** A list after them. */
  list?: readonly string[];
  button: { label: string; link: string } | null;
  /** Paragraphs after it. */
  after: readonly string[];
  /** Why the recipient gets this email, in small print. */
  reason: string;
  /** The link that ends such emails, if the recipient may end them. */
  unsubscribeLink?: string;
};

/** Formats an email as text and HTML. All values are escaped and reduced to one line. */
export function formatEmail(content: EmailContent): RenderedEmail {
  const plain: Required<EmailContent> = {
    unsubscribeLink: "",
    ...content,
    subject: oneLine(content.subject),
    name: content.name === null ? null : oneLine(content.name),
    before: content.before.map(oneLine),
    list: (content.list ?? []).map(oneLine),
    after: content.after.map(oneLine),
    reason: oneLine(content.reason),
  };
  const { subject, unsubscribeLink } = plain;
  return { subject, text: toText(plain), html: toHtml(plain), headers: toHeaders(unsubscribeLink) };
}

/**
 * With these, mail programs show a button that ends such emails, and press it by a POST.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8058
 */
function toHeaders(unsubscribeLink: string): Record<string, string> {
  if (unsubscribeLink === "") return {};
  return {
    "List-Unsubscribe": `<${unsubscribeLink}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}

/**
 * Names chosen by others, including identity providers, must not look like our own lines or links, nor be variables of
 * Mailgun: it puts a link in the place of `%unsubscribe_url%` that ends all emails of its domain to a person.
 *
 * @see https://documentation.mailgun.com/docs/mailgun/user-manual/tracking-messages/tracking-unsubscribes
 */
function oneLine(text: string): string {
  return text
    .replaceAll(/(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]|:\/\/)+/gu, " ")
    .replaceAll(/%(?=[\w.-]+%)/g, "% ")
    .trim();
}

function greeting(name: string | null): string {
  return name === null || name === "" ? "Hello," : `Hello ${name},`;
}

type PlainContent = Required<EmailContent>;

function toText({ name, before, list, button, after, reason, unsubscribeLink }: PlainContent): string {
  const items = list.length === 0 ? [] : [list.map((item) => `- ${item}`).join("\n")];
  const link = button === null ? [] : [`${button.label}:\n${button.link}`];
  const end = unsubscribeLink === "" ? [] : [`Unsubscribe:\n${unsubscribeLink}`];
  const parts = [
    greeting(name),
    ...before,
    ...items,
    ...link,
    ...after,
    "Agent Ops",
    `--\n${reason}`,
    ...end,
  ];
  return `${parts.join("\n\n")}\n`;
}

function toHtml(content: PlainContent): string {
  const { subject, name, before, list, button, after, reason, unsubscribeLink } = content;
  const paragraphs = [greeting(name), ...before].map(toParagraph).join("\n");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:24px 16px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div style="max-width:520px;margin:0 auto">
<p style="margin:0 0 24px;font-weight:600">Agent Ops</p>
${paragraphs}
${toList(list)}${button === null ? "" : toButton(button)}${after.map(toParagraph).join("\n")}
<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid #8888;font-size:13px;opacity:0.75">${escapeHtml(reason)}${toUnsubscribe(unsubscribeLink)}</p>
</div>
</body>
</html>
`;
}

function toParagraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
}

function toList(items: readonly string[]): string {
  if (items.length === 0) return "";
  const rows = items.map((item) => `<li style="margin:0 0 8px">${escapeHtml(item)}</li>`).join("\n");
  return `<ul style="margin:0 0 16px;padding-left:20px">\n${rows}\n</ul>\n`;
}

function toUnsubscribe(link: string): string {
  return link === "" ? "" : ` <a href="${escapeHtml(link)}">Unsubscribe</a>`;
}

/** White on this blue is readable on light and dark backgrounds. */
function toButton({ label, link }: { label: string; link: string }): string {
  const href = escapeHtml(link);
  return `<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p style="margin:0 0 16px;font-size:13px;word-break:break-all">Or open this address: <a href="${href}">${href}</a></p>
`;
}

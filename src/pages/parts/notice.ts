import { type Content, type Html, html } from "../html.ts";

export type NoticeTone = "plain" | "good" | "warn" | "bad";

/** A message about what has happened. Screen readers announce it when the page opens. */
export function notice(tone: NoticeTone, content: Content): Html {
  return html`<div class="notice notice-${tone}" role="status">${content}</div>`;
}

/** The message for a query such as ?notice=saved, or null. */
export function findNotice(texts: Record<string, string>, asked: string | undefined): Html | null {
  if (asked === undefined || !Object.hasOwn(texts, asked)) return null;
  return notice("good", texts[asked]);
}

/** A short label, such as a status. */
export function badge(tone: NoticeTone, text: string): Html {
  return html`<span class="badge badge-${tone}">${text}</span>`;
}

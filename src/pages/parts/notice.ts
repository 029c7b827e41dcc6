import { type Content, type Html, html } from "../html.ts";

/** How a notice or a badge is meant. */
export type NoticeTone = "plain" | "good" | "warn" | "bad";

/** A word about what has happened; read aloud when the page opens. */
export function notice(tone: NoticeTone, content: Content): Html {
  return html`<div class="notice notice-${tone}" role="status">${content}</div>`;
}

/** The notice that an address such as ?notice=saved asks for, or null. */
export function findNotice(texts: Record<string, string>, asked: string | undefined): Html | null {
  if (asked === undefined || !Object.hasOwn(texts, asked)) return null;
  return notice("good", texts[asked]);
}

/** A word in a small frame, such as a status. */
export function badge(tone: NoticeTone, text: string): Html {
  return html`<span class="badge badge-${tone}">${text}</span>`;
}

import { type Content, type Html, html } from "../html.ts";
import { ICON, STYLESHEET } from "../style/assets.ts";
import { THEME_PATH } from "../style/theme.ts";
import { TYPEFACE_PATH } from "../style/typeface.ts";

export type PageHead = {
  title: string;
  /** Whether the page shows errors of a form. */
  hasErrors?: boolean;
  /** The URL of the page's script, if it has one. */
  script?: string;
  /** Tags of scripts, and of styles in place of those of all pages. */
  tags?: Html | null;
};

/** A complete HTML document. */
export function renderDocument({ title, hasErrors = false, script, tags }: PageHead, body: Content): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${hasErrors && "Error: "}${title} · Agent Ops</title>
        <link rel="stylesheet" href="${TYPEFACE_PATH}" />
        ${(tags ?? null) === null && html`<link rel="stylesheet" href="${STYLESHEET.path}" />`}
        <link rel="stylesheet" href="${THEME_PATH}" />
        ${script !== undefined && html`<script type="module" src="${script}"></script>`} ${tags}
        <link rel="icon" type="image/svg+xml" href="${ICON.path}" />
      </head>
      ${body}
    </html> `;
}

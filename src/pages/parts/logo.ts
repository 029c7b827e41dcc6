import { type Html, html } from "../html.ts";

/** The logo as an SVG file. */
export const ICON_SVG = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28">
  ${shapes("#3248c8", "#ffffff")}
</svg>`.text;

/** The logo and name, linked to the dashboard. */
export function logo(): Html {
  const mark = html`<svg width="28" height="28" viewBox="0 0 28 28" aria-hidden="true" focusable="false">
    ${shapes("currentColor", "var(--color-on-accent)")}
  </svg>`;
  return html`<a class="logo" href="/">${mark}<span>Agent Ops</span></a>`;
}

function shapes(ground: string, line: string): Html {
  return html`<rect width="28" height="28" rx="8" fill="${ground}" /><path
      d="M7.5 20 14 8l6.5 12"
      fill="none"
      stroke="${line}"
      stroke-width="2.4"
      stroke-linecap="round"
      stroke-linejoin="round"
    /><circle cx="14" cy="17.6" r="2.1" fill="${line}" />`;
}

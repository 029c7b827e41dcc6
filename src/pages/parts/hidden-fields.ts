import { type Html, html } from "../html.ts";

export function hiddenFields(values: Record<string, string>): Html {
  return html`${Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}`;
}

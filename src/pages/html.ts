import { escapeHtml } from "../http/escape-html.ts";

/** HTML that is safe to send: interpolated values are already escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What can be interpolated between tags or in a quoted attribute. Null, undefined and false render nothing. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

/**
 * Builds HTML from a template. Every value is escaped unless it is {@link Html}. Attributes must be quoted in the
 * template.
 */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

/** Renders attributes. Null, undefined and false are omitted; true renders the name without a value. */
export function attributes(named: Record<string, string | number | boolean | null | undefined>): Html {
  const present = Object.entries(named).filter(
    ([, value]) => value !== null && value !== undefined && value !== false,
  );
  return new Html(
    present
      .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`))
      .join(""),
  );
}

function render(content: Content): string {
  if (content === null || content === undefined || content === false) return "";
  if (content instanceof Html) return content.text;
  if (typeof content === "string") return escapeHtml(content);
  if (typeof content === "number") return String(content);
  return content.map(render).join("");
}

import { escapeHtml } from "../http/escape-html.ts";

/** Markup that is safe to send: what stands between the tags was escaped when it was made. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand between tags or in a quoted attribute. Nothing is shown for null, undefined and false. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

/**
 * Builds markup from a template. Every value is escaped unless it is {@link Html} itself; attributes must be
 * quoted in the template.
 */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(strings.reduce((text, part, index) => text + render(values[index - 1]) + part));
}

/** Attributes that may be absent: those of null, undefined and false are left out, true has no value. */
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

import { type Html, attributes, html } from "../../html.ts";
import { textArea } from "../../parts/field.ts";
import type { FormErrors } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { type HtmlColumn, table } from "../../parts/table.ts";
import { time } from "../../parts/time.ts";

/** Which spans are not stored, as GraphQL has it. */
export type ShownDropRule = { scope: string; name: string; dropped: number; lastDroppedAt: string | null };

export const DROP_RULE_LABELS = { rules: "Spans that are not stored" } as const;

type CardProps = {
  rules: readonly ShownDropRule[];
  /** As entered. */
  typed: string;
  isSudo: boolean;
  errors: FormErrors | null;
};

/** Rules to drop spans, one on each line, and what they have dropped. */
export function dropRulesCard({ rules, typed, isSudo, errors }: CardProps): Html {
  return html`<section class="card">
    <h2 class="card-head">Dropped spans</h2>
    <form method="post">
      <fieldset class="form" ${attributes({ disabled: !isSudo })}>
        ${hiddenFields({ act: "drop_rules" })}
        ${textArea({
          id: "rules",
          label: DROP_RULE_LABELS.rules,
          value: typed,
          errors,
          hint: html`One rule on each line: the library, then <code>|</code> and the name of the span, in
            which <code>*</code> is any text, such as <code>@opentelemetry/instrumentation-fs | *</code>.
            Spans that say what a call of a model used are always stored.`,
          input: { rows: 5, spellcheck: "false" },
        })}
        <div class="actions"><button class="button">Save</button></div>
      </fieldset>
    </form>
    ${rules.some(({ dropped }) => dropped > 0) && table("What each rule has dropped", COLUMNS, rules)}
  </section>`;
}

const COLUMNS: readonly HtmlColumn<ShownDropRule>[] = [
  { title: "Rule", cell: (rule) => html`<code>${formatDropRule(rule)}</code>` },
  { title: "Dropped", cell: ({ dropped }) => dropped.toLocaleString("en") },
  { title: "Last", cell: ({ lastDroppedAt }) => (lastDroppedAt === null ? "–" : time(lastDroppedAt)) },
];

/** A rule as a line of text. */
export function formatDropRule({ scope, name }: { scope: string; name: string }): string {
  return `${scope} | ${name}`;
}

/** Parses lines of rules. A line without a bar is a name. */
export function parseDropRules(text: string): { scope?: string; name?: string }[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map(parseLine);
}

function parseLine(line: string): { scope?: string; name?: string } {
  const bar = line.indexOf("|");
  const [scope, name] = [line.slice(0, Math.max(bar, 0)).trim(), line.slice(bar + 1).trim()];
  return { ...(scope !== "" && { scope }), ...(name !== "" && { name }) };
}

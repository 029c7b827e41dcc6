import { LIMITS } from "../../../domain/kernel/limits.ts";
import { type Html, attributes, html } from "../../html.ts";
import { checkbox, field, radioGroup } from "../../parts/field.ts";
import type { FormErrors } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";

/** Settings for what agents tell of their work, as GraphQL has them. */
export type TraceSettings = { captureContent: string; auditContentReads: boolean };

export const TRACE_LABELS = {
  captureContent: "Prompts, answers and arguments",
  spansPerDay: "New spans a day",
} as const;

const CAPTURES = [
  {
    value: "REDACTED",
    title: "Stored without secrets and personal data",
    means: "Keys, tokens, email addresses and card numbers are replaced, user ids are stored as hashes.",
  },
  {
    value: "OFF",
    title: "Not stored",
    means: "Nor texts of more than 1,024 characters that nobody knows the meaning of.",
  },
  {
    value: "FULL",
    title: "Stored as they are sent",
    means: "But for passwords, cookies and API keys by their names, which are never stored.",
  },
] as const;

type CardProps = {
  workspace: TraceSettings;
  /** As entered. */
  spansPerDay: string;
  isSudo: boolean;
  errors: FormErrors | null;
};

export function tracesCard({ workspace, spansPerDay, isSudo, errors }: CardProps): Html {
  const { min, max } = LIMITS.spansPerDay;
  return html`<section class="card">
    <h2 class="card-head">Traces of agents</h2>
    <form method="post">
      <fieldset class="form" ${attributes({ disabled: !isSudo })}>
        ${hiddenFields({ act: "traces" })}
        ${radioGroup({
          id: "captureContent",
          label: TRACE_LABELS.captureContent,
          errors,
          hint: "From now on. What is stored already stays as it is.",
          value: workspace.captureContent,
          options: CAPTURES,
        })}
        ${checkbox({
          id: "auditContentReads",
          checked: workspace.auditContentReads,
          label: "Record in the audit log who reads or exports prompts, answers and arguments",
        })}
        ${field({
          id: "spansPerDay",
          label: TRACE_LABELS.spansPerDay,
          value: spansPerDay,
          errors,
          hint:
            `${min} to ${max.toLocaleString("en")}. More are rejected until 00:00 UTC. A million spans take about ` +
            "1.5 GB for as long as traces are kept.",
          input: { inputmode: "numeric", required: true },
        })}
        <div class="actions"><button class="button">Save</button></div>
      </fieldset>
    </form>
  </section>`;
}

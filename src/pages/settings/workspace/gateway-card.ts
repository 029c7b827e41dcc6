import { type Html, attributes, html } from "../../html.ts";
import { radioGroup } from "../../parts/field.ts";
import type { FormErrors } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";

/** Settings for what agents ask before they act, as GraphQL has them. */
export type GatewaySettings = { decisionLog: string; decisionDurability: string; hookAllow: string };

export const GATEWAY_LABELS = {
  decisionLog: "Decisions in the log",
  decisionDurability: "Permissions are answered",
  hookAllow: "Tools of coding agents that are allowed",
} as const satisfies Record<keyof GatewaySettings, string>;

const CHOICES = {
  decisionLog: [
    {
      value: "SAMPLED",
      title: "Denials, questions and a sample of permissions",
      means: "Of the same agent, action, resource and policies, 20 permissions a minute. All are counted.",
    },
    { value: "ALL", title: "All", means: "About 1 kB for each." },
  ],
  decisionDurability: [
    {
      value: "BUFFERED",
      title: "At once",
      means: "And stored within 20 milliseconds. If a server crashes, its last ones are missing in the log.",
    },
    {
      value: "STRICT",
      title: "After they are stored",
      means: "Every check takes a few milliseconds longer.",
    },
  ],
  hookAllow: [
    { value: "ALLOW", title: "Run without a prompt", means: "Unless the user's own rules deny them." },
    {
      value: "NO_DECISION",
      title: "Run by the user's own rules",
      means: "The coding agent may ask its user. Denials and questions stay as they are.",
    },
  ],
} as const satisfies Record<keyof GatewaySettings, object>;

const SETTINGS = ["decisionLog", "decisionDurability", "hookAllow"] as const;

type CardProps = { workspace: GatewaySettings; isSudo: boolean; errors: FormErrors | null };

export function gatewayCard({ workspace, isSudo, errors }: CardProps): Html {
  return html`<section class="card">
    <h2 class="card-head">Decisions about agents</h2>
    <form method="post">
      <fieldset class="form" ${attributes({ disabled: !isSudo })}>
        ${hiddenFields({ act: "gateway" })}
        ${SETTINGS.map((setting) =>
          radioGroup({
            id: setting,
            label: GATEWAY_LABELS[setting],
            value: workspace[setting],
            errors,
            options: CHOICES[setting],
          }),
        )}
        <div class="actions"><button class="button">Save</button></div>
      </fieldset>
    </form>
  </section>`;
}

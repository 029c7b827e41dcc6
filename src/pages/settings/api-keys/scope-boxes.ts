import { SCOPES } from "../../../domain/kernel/scopes.ts";
import { type Html, html } from "../../html.ts";
import { checkbox } from "../../parts/field.ts";
import { type FormErrors, getFieldError } from "../../parts/form-errors.ts";

/** Checkboxes for scopes, grouped by resource. */
export function scopeBoxes({
  offered = SCOPES,
  ticked,
  hint,
  errors,
}: {
  offered?: readonly string[];
  ticked: readonly string[];
  hint: string;
  errors: FormErrors | null;
}): Html {
  const error = getFieldError(errors, "scopes");
  const groups = [...new Set(offered.map(getGroup))];
  const describedBy = error === undefined ? "scopes-hint" : "scopes-hint scopes-error";
  return html`<fieldset class="stack-s" id="scopes" tabindex="-1" aria-describedby="${describedBy}">
    <legend class="legend">Scopes</legend>
    <p class="hint" id="scopes-hint">${hint}</p>
    ${error !== undefined && html`<p class="field-error" id="scopes-error">${error}</p>`}
    <div class="checks">
      ${groups.map(
        (group) =>
          html`<div class="checks-group" role="group" aria-label="${formatTitle(group)}">
            <p class="checks-title">${formatTitle(group)}</p>
            ${offered
              .filter((scope) => getGroup(scope) === group)
              .map((scope) =>
                checkbox({
                  id: `scope-${scope.replace(":", "-")}`,
                  name: "scopes",
                  label: html`<code>${scope}</code>`,
                  value: scope,
                  checked: ticked.includes(scope),
                }),
              )}
          </div>`,
      )}
    </div>
  </fieldset>`;
}

function getGroup(scope: string): string {
  return scope.split(":")[0] ?? scope;
}

/** What is called otherwise than its scopes. */
const TITLES: Readonly<Record<string, string>> = {
  agent_commands: "Commands",
  eval_runs: "Evaluations",
  mcp: "MCP servers",
};

/** Formats `messages` as "Messages". */
function formatTitle(group: string): string {
  const title = TITLES[group];
  if (title !== undefined) return title;
  const words = group.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

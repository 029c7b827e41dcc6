import type { DomainError, FieldError } from "../../domain/kernel/errors.ts";
import { type Html, html } from "../html.ts";

/** Why a form was rejected: errors by field, and errors about the whole form. */
export type FormErrors = { fields: Record<string, string>; general: string[] };

/** Labels of form fields by their name in errors. */
export type Labels = Record<string, string>;

/**
 * Converts an error to errors of a form.
 *
 * @param labels the form's fields. Errors about other fields become general errors.
 */
export function formErrors(error: DomainError, labels: Labels): FormErrors {
  const found: FormErrors = { fields: {}, general: [] };
  const errors = error.details.errors ?? [];
  if (errors.length === 0) {
    const { field } = error.details;
    if (field !== undefined && Object.hasOwn(labels, field)) found.fields[field] = error.message;
    else found.general.push(error.message);
  }
  for (const problem of errors) {
    const name = findField(problem, labels);
    if (name === null) found.general.push(`${problem.field}: ${problem.detail}`);
    else found.fields[name] ??= sentence(`${labels[name]} ${problem.detail}`);
  }
  return found;
}

export function getFieldError(errors: FormErrors | null, name: string): string | undefined {
  return errors?.fields[name];
}

/** The summary above a rejected form. It receives the focus, so that it is read first. */
export function errorSummary(errors: FormErrors | null): Html | null {
  if (errors === null) return null;
  const fields = Object.entries(errors.fields);
  if (fields.length === 0) return alert(html`<p>${errors.general.join(" ")}</p>`);
  return alert(
    html`<p class="notice-title">There is a problem</p>
      <ul>
        ${fields.map(([name, text]) => html`<li><a href="#${name}">${text}</a></li>`)}${errors.general.map((text) => html`<li>${text}</li>`)}
      </ul>`,
  );
}

function alert(content: Html): Html {
  return html`<div class="notice notice-bad" role="alert" tabindex="-1" autofocus>${content}</div>`;
}

/** An error about an item, such as scopes.3, belongs to the whole field. */
function findField({ field }: FieldError, labels: Labels): string | null {
  const names = [field, field.split(".")[0] ?? ""];
  return names.find((name) => Object.hasOwn(labels, name)) ?? null;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

import type { DomainError } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../html.ts";
import { parseLines } from "../../http/form-values.ts";
import type { SubmittedForm } from "../../http/read-form.ts";
import { field, textArea } from "../../parts/field.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";

/** Entered values of an endpoint's form. */
export type EndpointTyped = {
  url: string;
  /** One type per line, as `task.*`. */
  eventTypes: string;
  description: string;
};

export const NEW_ENDPOINT: EndpointTyped = { url: "", eventTypes: "*", description: "" };

const LABELS = {
  url: "The URL",
  eventTypes: "Events",
  description: "The description",
  overlapSeconds: "The overlap",
};
const PLAIN = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };

export function readTyped(form: SubmittedForm): EndpointTyped {
  return {
    url: form.one("url").trim(),
    eventTypes: form.one("event_types"),
    description: form.one("description"),
  };
}

export function toInput({ url, eventTypes, description }: EndpointTyped) {
  return { url, eventTypes: parseLines(eventTypes), description: description.trim() };
}

export function endpointFormErrors(error: DomainError): FormErrors {
  return formErrors(error, LABELS);
}

/** The fields of an endpoint's form. */
export function endpointFields(typed: EndpointTyped, errors: FormErrors | null): Html {
  return html`${field({
    id: "url",
    label: "URL",
    type: "url",
    value: typed.url,
    hint: "Events are sent here by POST. It must be https, at a public address unless the server allows others.",
    errors,
    input: { ...PLAIN, required: true, maxlength: 2000 },
  })}
  ${textArea({
    id: "eventTypes",
    name: "event_types",
    label: "Events",
    value: typed.eventTypes,
    hint: html`One type per line, such as <code>task.completed</code> or <code>approval.*</code>;
      <code>*</code> is all.`,
    errors,
    input: { ...PLAIN, rows: 4, required: true },
  })}
  ${field({
    id: "description",
    label: "Description (optional)",
    value: typed.description,
    errors,
    input: { maxlength: 200, autocomplete: "off" },
  })}`;
}

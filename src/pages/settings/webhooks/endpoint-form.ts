import type { DomainError } from "../../../domain/kernel/errors.ts";
import { type Html, html } from "../../html.ts";
import { parseLines } from "../../http/form-values.ts";
import type { SubmittedForm } from "../../http/read-form.ts";
import { field, selectField, textArea } from "../../parts/field.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";

/** Entered values of an endpoint's form. */
export type EndpointTyped = {
  kind: "EVENTS" | "CHAT";
  url: string;
  /** One type per line, as `task.*`. */
  eventTypes: string;
  description: string;
};

export const NEW_ENDPOINT: EndpointTyped = { kind: "EVENTS", url: "", eventTypes: "*", description: "" };

const KINDS = [
  { value: "EVENTS", title: "Events, signed, for programs" },
  { value: "CHAT", title: "Messages for people, in a chat (Slack, Mattermost, Discord)" },
];

const LABELS = {
  kind: "What it gets",
  url: "The URL",
  eventTypes: "Events",
  description: "The description",
  overlapSeconds: "The overlap",
};
const PLAIN = { autocomplete: "off", autocapitalize: "none", spellcheck: "false" };

export function readTyped(form: SubmittedForm): EndpointTyped {
  return {
    kind: form.one("kind") === "CHAT" ? "CHAT" : "EVENTS",
    url: form.one("url").trim(),
    eventTypes: form.one("event_types"),
    description: form.one("description"),
  };
}

export function toNewEndpoint({ kind, url, ...rest }: EndpointTyped) {
  return { kind, url, ...toInput(rest) };
}

/** A chat's URL is not shown: without another one, it stays. */
export function toChanges({ kind, url, ...rest }: EndpointTyped) {
  return { ...toInput(rest), ...((kind === "EVENTS" || url !== "") && { url }) };
}

function toInput({ eventTypes, description }: Pick<EndpointTyped, "eventTypes" | "description">) {
  return { eventTypes: parseLines(eventTypes), description: description.trim() };
}

export function endpointFormErrors(error: DomainError): FormErrors {
  return formErrors(error, LABELS);
}

/** The fields of a new endpoint's form. */
export function newEndpointFields(typed: EndpointTyped, errors: FormErrors | null): Html {
  return html`${selectField({ id: "kind", label: "What it gets", value: typed.kind, options: KINDS, errors })}
  ${urlField(typed, { errors, required: true, hint: URL_HINT })} ${otherFields(typed, errors)}`;
}

/** The fields of the form of an endpoint that there is. */
export function endpointFields(typed: EndpointTyped, errors: FormErrors | null): Html {
  const isChat = typed.kind === "CHAT";
  const hint = isChat ? "It is a secret, and not shown. Leave it empty to keep it." : URL_HINT;
  return html`${hiddenFields({ kind: typed.kind })} ${urlField(typed, { errors, required: !isChat, hint })}
  ${otherFields(typed, errors)}`;
}

const URL_HINT =
  "Where each event is sent by POST: https and a public address, unless the server allows others. For a chat, the URL of its incoming webhook; for Discord, with /slack at its end.";

function urlField(
  { url }: EndpointTyped,
  { errors, required, hint }: { errors: FormErrors | null; required: boolean; hint: string },
): Html {
  return field({
    id: "url",
    label: "URL",
    type: "url",
    value: url,
    hint,
    errors,
    input: { ...PLAIN, required, maxlength: 2000 },
  });
}

function otherFields(typed: EndpointTyped, errors: FormErrors | null): Html {
  return html`${textArea({
    id: "eventTypes",
    name: "event_types",
    label: "Events",
    value: typed.eventTypes,
    hint: html`One type per line, such as <code>task.completed</code> or <code>approval.*</code>;
      <code>*</code> is all, for a chat all that people need to know.`,
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

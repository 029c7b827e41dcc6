import { type Content, type Html, attributes, html } from "../html.ts";
import { type FormErrors, getFieldError } from "./form-errors.ts";

/** What fields of every kind have. */
type FieldBase = {
  /** Names the field in the form's errors and in the page. */
  id: string;
  /** Under which it is sent; the id where it is left out. */
  name?: string;
  label: string;
  hint?: Content;
  errors: FormErrors | null;
};

type FieldAttributes = Record<string, string | number | boolean | null | undefined>;

/** A field of one line. */
export function field(
  props: FieldBase & { type?: string; value?: string | null; input?: FieldAttributes },
): Html {
  const { type = "text", value, input = {} } = props;
  return wrapWithLabel(
    props,
    html`<input class="input" ${attributes({ type, value, ...getCommonAttributes(props), ...input })} />`,
  );
}

/** A field for a password: never filled in again. */
export function passwordField(
  props: FieldBase & { autocomplete: "current-password" | "new-password"; focused?: boolean },
): Html {
  const { autocomplete, focused = false } = props;
  return field({ ...props, type: "password", input: { autocomplete, required: true, autofocus: focused } });
}

/** A field of several lines. */
export function textArea(props: FieldBase & { value: string; input?: FieldAttributes }): Html {
  const given = attributes({ ...getCommonAttributes(props), ...props.input });
  return wrapWithLabel(props, html`<textarea class="input" ${given}>${props.value}</textarea>`);
}

/** A choice of one. */
export function selectField(
  props: FieldBase & {
    value: string;
    options: readonly { value: string; title: string }[];
    narrow?: boolean;
  },
): Html {
  const options = props.options.map(
    ({ value, title }) =>
      html`<option${attributes({ value, selected: value === props.value })}>${title}</option>`,
  );
  return wrapWithLabel(
    props,
    html`<select class="input" ${attributes(getCommonAttributes(props))}>
      ${options}
    </select>`,
  );
}

/** A box to tick. */
export function checkbox({
  id,
  name = id,
  label,
  value = "true",
  checked,
  hint,
}: {
  id: string;
  name?: string;
  label: Content;
  value?: string;
  checked: boolean;
  hint?: Content;
}): Html {
  const describedBy = hint === undefined ? null : `${id}-hint`;
  return html`<div class="check">
<input${attributes({ type: "checkbox", id, name, value, checked, "aria-describedby": describedBy })}>
<label for="${id}">${label}</label>
${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
}

/** A choice of one whose options are all in sight, each with what it means. */
export function radioGroup({
  id,
  label,
  hint,
  value,
  options,
  errors,
}: FieldBase & {
  value: string;
  options: readonly { value: string; title: string; means?: string }[];
}): Html {
  const error = getFieldError(errors, id);
  return html`<fieldset
    class="stack-s"
    ${attributes({ id, tabindex: "-1", "aria-describedby": getDescribedBy({ id, hint, errors }) })}
  >
    <legend class="legend">${label}</legend>
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${error !== undefined && html`<p class="field-error" id="${id}-error">${error}</p>`}
    ${options.map((option, index) => radio(option, { id: `${id}-${index}`, name: id, checked: option.value === value }))}
  </fieldset>`;
}

function radio(
  { value, title, means }: { value: string; title: string; means?: string },
  given: { id: string; name: string; checked: boolean },
): Html {
  const hintId = means === undefined ? null : `${given.id}-hint`;
  return html`<div class="check">
    <input ${attributes({ type: "radio", value, required: true, ...given, "aria-describedby": hintId })} />
    <label for="${given.id}">${title}</label>
    ${means !== undefined && html`<p class="hint" id="${hintId}">${means}</p>`}
  </div>`;
}

/** Tells the browser's password manager whose password is set; people don't see it. */
export function usernameField(email: string): Html {
  const given = { type: "text", name: "username", autocomplete: "username", value: email, readonly: true };
  return html`<input class="visually-hidden" tabindex="-1" aria-hidden="true" ${attributes(given)} />`;
}

function wrapWithLabel(props: FieldBase, control: Html): Html {
  const { id, label, hint, errors } = props;
  const error = getFieldError(errors, id);
  return html`<div class="field">
    <label class="label" for="${id}">${label}</label>
    ${control} ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
    ${error !== undefined && html`<p class="field-error" id="${id}-error">${error}</p>`}
  </div>`;
}

function getCommonAttributes(base: FieldBase): FieldAttributes {
  const { id, name = id, errors } = base;
  return {
    id,
    name,
    "aria-describedby": getDescribedBy(base),
    "aria-invalid": getFieldError(errors, id) === undefined ? null : "true",
  };
}

/** The ids of what tells more about a field: its hint, its error. */
function getDescribedBy({ id, hint, errors }: Pick<FieldBase, "id" | "hint" | "errors">): string | null {
  const ids = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(getFieldError(errors, id) === undefined ? [] : [`${id}-error`]),
  ];
  return ids.length === 0 ? null : ids.join(" ");
}

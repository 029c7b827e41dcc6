import { type Content, type Html, attributes, html } from "../html.ts";
import { type FormErrors, getFieldError } from "./form-errors.ts";

type FieldBase = {
  /** The HTML id, also used for errors. */
  id: string;
  /** The name it is sent under. Default: the id. */
  name?: string;
  label: string;
  hint?: Content;
  errors: FormErrors | null;
};

type FieldAttributes = Record<string, string | number | boolean | null | undefined>;

/** A single-line input. */
export function field(
  props: FieldBase & { type?: string; value?: string | null; input?: FieldAttributes },
): Html {
  const { type = "text", value, input = {} } = props;
  return wrapWithLabel(
    props,
    html`<input class="input" ${attributes({ type, value, ...getCommonAttributes(props), ...input })} />`,
  );
}

/** A password input. Never prefilled. */
export function passwordField(
  props: FieldBase & { autocomplete: "current-password" | "new-password"; focused?: boolean },
): Html {
  const { autocomplete, focused = false } = props;
  return field({ ...props, type: "password", input: { autocomplete, required: true, autofocus: focused } });
}

/** A multi-line input. */
export function textArea(props: FieldBase & { value: string; input?: FieldAttributes }): Html {
  const given = attributes({ ...getCommonAttributes(props), ...props.input });
  return wrapWithLabel(props, html`<textarea class="input" ${given}>${props.value}</textarea>`);
}

/** A select for one value. */
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

/** Radio buttons, each with an explanation. */
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

/** A hidden username, so that password managers know whose password is being set. */
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

/** The ids of the field's hint and error. */
function getDescribedBy({ id, hint, errors }: Pick<FieldBase, "id" | "hint" | "errors">): string | null {
  const ids = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(getFieldError(errors, id) === undefined ? [] : [`${id}-error`]),
  ];
  return ids.length === 0 ? null : ids.join(" ");
}

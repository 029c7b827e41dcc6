import type { Html } from "../html.ts";
import { field } from "./field.ts";
import type { FormErrors } from "./form-errors.ts";

/** A field for a code of an authenticator app or a recovery code. Never prefilled. */
export function codeField({
  label,
  hint,
  errors,
  focused = false,
  required = true,
}: {
  label: string;
  hint?: string;
  errors: FormErrors | null;
  focused?: boolean;
  required?: boolean;
}): Html {
  return field({
    id: "code",
    label,
    errors,
    ...(hint !== undefined && { hint }),
    input: {
      autocomplete: "one-time-code",
      autocapitalize: "none",
      spellcheck: "false",
      maxlength: 64,
      required,
      autofocus: focused,
    },
  });
}

import type { CeremonyProps } from "../../passkey/view.ts";
import { field } from "../../parts/field.ts";

const PATH = "/settings/security";

/** The page on which the browser makes a passkey. */
export function passkeyPage(options: unknown): CeremonyProps {
  return {
    title: "Add a passkey",
    lead: "Your browser, your phone or a security key makes a key for this site. You can then log in with it.",
    button: "Make a passkey",
    kind: "create",
    action: PATH,
    back: PATH,
    // The use case answers an object.
    options: options as object,
    hidden: { act: "add-passkey" },
    fields: field({
      id: "name",
      label: "Name",
      value: "Passkey",
      errors: null,
      hint: "To tell it from others, such as the name of your phone.",
      input: { required: true, maxlength: 100 },
    }),
  };
}

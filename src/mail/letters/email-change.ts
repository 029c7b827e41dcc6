import type { Letter } from "../../domain/letters/letter.ts";
import { frame } from "./frame.ts";
import type { WrittenLetter } from "./written-letter.ts";

/** To the address that a person wants to have. */
export function emailChangeLetter(letter: Extract<Letter, { kind: "email_change" }>): WrittenLetter {
  const { workspace, name, link, hours } = letter;
  return frame({
    subject: "Confirm your new e-mail address",
    name,
    before: [
      `Please confirm that this is to be the address of your account in the workspace “${workspace}”.`,
    ],
    button: { label: "Confirm this address", link },
    after: [
      `The link works once and expires after ${hours} hours. Until you follow it, your address stays as it is.`,
      "If you did not ask for this, do nothing: somebody has probably mistyped an address.",
    ],
    reason: "You get this letter because this e-mail address was entered in the settings of an account.",
  });
}

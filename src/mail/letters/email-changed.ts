import type { Letter } from "../../domain/letters/letter.ts";
import { frame } from "./frame.ts";
import { placeLine } from "./place-line.ts";
import type { WrittenLetter } from "./written-letter.ts";

/** To the address that a person had. */
export function emailChangedLetter(letter: Extract<Letter, { kind: "email_changed" }>): WrittenLetter {
  const { workspace, name, place, newEmail } = letter;
  return frame({
    subject: "Your e-mail address was changed",
    name,
    before: [
      `Your account in the workspace “${workspace}” has another e-mail address now: ${newEmail}. Letters go there from now on.`,
      placeLine(place),
      "If it was you, there is nothing to do. If it was not, tell an administrator of your workspace at once: only they can help you back in.",
    ],
    button: null,
    after: [],
    reason: "You get this letter because this was the e-mail address of the account until now.",
  });
}

import type { Letter } from "../../domain/letters/letter.ts";
import { frame } from "./frame.ts";
import { placeLine } from "./place-line.ts";
import type { WrittenLetter } from "./written-letter.ts";

/** To a person whose password is another one now. */
export function passwordChangedLetter(letter: Extract<Letter, { kind: "password_changed" }>): WrittenLetter {
  const { workspace, name, place, resetLink } = letter;
  return frame({
    subject: "Your password was changed",
    name,
    before: [
      `The password of your account in the workspace “${workspace}” was changed. Every other browser was logged out.`,
      placeLine(place),
      "If it was you, there is nothing to do. If it was not, set a new password at once, and tell an administrator of your workspace.",
    ],
    button: { label: "Set a new password", link: resetLink },
    after: [],
    reason: "You get this letter because the security of your account has changed.",
  });
}

import type { Letter } from "../../domain/letters/letter.ts";
import { frame } from "./frame.ts";
import type { WrittenLetter } from "./written-letter.ts";

/** To whoever asked for a new password. */
export function resetPasswordLetter(letter: Extract<Letter, { kind: "reset_password" }>): WrittenLetter {
  const { workspace, name, link, minutes } = letter;
  return frame({
    subject: "Set a new password",
    name,
    before: [`Somebody asked to set a new password for your account in the workspace “${workspace}”.`],
    button: { label: "Set a new password", link },
    after: [
      `The link works once and expires ${minutes} minutes after this letter was sent.`,
      "If it was not you, do nothing: your password stays as it is. We never ask for it by mail or telephone.",
    ],
    reason: "You get this letter because a new password was requested for this e-mail address.",
  });
}

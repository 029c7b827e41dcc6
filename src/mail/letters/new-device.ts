import type { Letter } from "../../domain/letters/letter.ts";
import { frame } from "./frame.ts";
import { placeLine } from "./place-line.ts";
import type { WrittenLetter } from "./written-letter.ts";

/** To a person who was logged in from a browser that is new to us. */
export function newDeviceLetter(letter: Extract<Letter, { kind: "new_device" }>): WrittenLetter {
  const { workspace, name, place, sessionsLink } = letter;
  return frame({
    subject: "A log-in from a new browser",
    name,
    before: [
      `Somebody logged in to your account in the workspace “${workspace}” from a browser that you have not used before.`,
      placeLine(place),
      "If it was you, there is nothing to do. If it was not, log that browser out and change your password.",
    ],
    button: { label: "See where you are logged in", link: sessionsLink },
    after: [],
    reason: "You get this letter because of a log-in to your account.",
  });
}

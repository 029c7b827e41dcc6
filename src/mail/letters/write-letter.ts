import type { Letter } from "../../domain/letters/letter.ts";
import { emailChangeLetter } from "./email-change.ts";
import { emailChangedLetter } from "./email-changed.ts";
import { invitationLetter } from "./invitation.ts";
import { newDeviceLetter } from "./new-device.ts";
import { passwordChangedLetter } from "./password-changed.ts";
import { resetPasswordLetter } from "./reset-password.ts";
import type { WrittenLetter } from "./written-letter.ts";

/** Writes a letter in words. */
export function writeLetter(letter: Letter): WrittenLetter {
  switch (letter.kind) {
    case "reset_password":
      return resetPasswordLetter(letter);
    case "password_changed":
      return passwordChangedLetter(letter);
    case "new_device":
      return newDeviceLetter(letter);
    case "email_change":
      return emailChangeLetter(letter);
    case "email_changed":
      return emailChangedLetter(letter);
    case "invitation":
      return invitationLetter(letter);
  }
}

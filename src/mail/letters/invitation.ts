import type { Letter } from "../../domain/letters/letter.ts";
import { frame } from "./frame.ts";
import type { WrittenLetter } from "./written-letter.ts";

/** To a person who was made a member of a workspace. */
export function invitationLetter(letter: Extract<Letter, { kind: "invitation" }>): WrittenLetter {
  const { workspace, name, link, days, invitedBy } = letter;
  return frame({
    subject: `You are invited to “${workspace}”`,
    name,
    before: [
      `${invitedBy} invites you to the workspace “${workspace}” in Agent Ops, where people supervise software agents and robots.`,
      "To join, choose a password.",
    ],
    button: { label: "Join the workspace", link },
    after: [
      `The link works once and expires after ${days} days.`,
      "If you do not know what this is about, do nothing.",
    ],
    reason: "You get this letter because an administrator of the workspace entered this e-mail address.",
  });
}

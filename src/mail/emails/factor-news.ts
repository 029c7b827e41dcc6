import type { FactorNews } from "../../domain/emails/email.ts";

type Described = { subject: string; text: string; advice: string };

const ELSE =
  "If it was you, there is nothing to do. If it was not, change your password immediately and contact an administrator of your workspace.";

/** Says in words what happened to the second factors of an account. */
export function describeFactorNews(news: FactorNews, workspace: string): Described {
  const account = `your account in the workspace “${workspace}”`;
  switch (news) {
    case "added":
      return {
        subject: "A second factor was added",
        text: `A second factor was added to ${account}. From now on, a log-in asks for it after the password.`,
        advice: ELSE,
      };
    case "removed":
      return {
        subject: "A second factor was removed",
        text: `A second factor was removed from ${account}.`,
        advice: ELSE,
      };
    case "removed_by_owner":
      return {
        subject: "Your second factors were removed",
        text: `An owner of the workspace removed all second factors from ${account}, and logged you out everywhere.`,
        advice:
          "If you asked for this, log in and add a new one. If you did not, contact an owner of your workspace immediately.",
      };
    case "codes_renewed":
      return {
        subject: "Your recovery codes were renewed",
        text: `New recovery codes were made for ${account}. The ones before don't work any more.`,
        advice: ELSE,
      };
    case "code_used":
      return {
        subject: "A recovery code was used",
        text: `One of the recovery codes of ${account} was used in place of the second factor. It does not work again.`,
        advice: ELSE,
      };
    case "passkey_copied":
      return {
        subject: "A passkey was refused",
        text: `A passkey of ${account} was used in a way that shows that it may have been copied. It was not accepted.`,
        advice:
          "Remove this passkey and add a new one. If somebody else may have it, contact an administrator of your workspace.",
      };
    case "codes_wrong":
      return {
        subject: "Wrong codes after your password",
        text: `Somebody entered the password of ${account}, and then several wrong codes. They were not let in.`,
        advice:
          "If it was you, there is nothing to do. If it was not, somebody knows your password: set a new one immediately.",
      };
  }
}

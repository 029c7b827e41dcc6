const WORDS = [
  ...["pass(?:word|wd|phrase|code)?", "pwd", "secret", "token", "credential", "auth(?:orization)?", "cookie"],
  ...["bearer", "jwt", "pin", "otp", "otp[_-]?code", "cv[cv]2?", "mnemonic", "seed[_-]?phrase"],
  ...["(?:api|access|account|encryption|master|private|secret|signing|ssh)[ _.-]?key", "(?<=[?&])key"],
  ...["\\bsig", "signature"],
];

const HINT = /pass|pwd|secret|token|key|cred|auth|cookie|bearer|jwt|pin|otp|cv[cv]|sig|mnemonic|phrase/i;

/** Whether a text has a part of a secret's name: most have none, which is found sooner than what they name. */
export function mayNameSecret(text: string): boolean {
  return HINT.test(text);
}

/** How the names of secrets end in a text, as a part of a regular expression. Not all such names are a secret's. */
export const SECRET_NAME_END = String.raw`(?:${WORDS.join("|")})(?:s|[_-]?value|[_-]?\d{1,3})?(?:\[\])?(?:\]|%5D)?`;

/** Longer texts are no names. */
const LONGEST = 100;
const OF_NAME = /^[\w.%[\]-]$/;

/** The name that ends in a text there, with all its parts such as `user[password]` and `spring.mail.password`. */
export function readNameBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start <= LONGEST && OF_NAME.test(text.charAt(start - 1))) start--;
  return text.slice(start, end);
}

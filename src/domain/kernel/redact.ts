/** What stands in the place of a secret. */
export const HIDDEN = "[redacted]";
const REPLACED = "\ufffd";

/** Whether a text may have been another one before {@link redact}. */
export function mayBeRedacted(text: string): boolean {
  return text.includes(HIDDEN) || text.includes(REPLACED);
}

/** Members whose values are secrets, without separators and in lower case. */
const SECRET_NAME =
  /(?:password|passwd|passphrase|secret|apikey|secretkey|accesskey|privatekey|signingkey|encryptionkey|credential|token|accesstokens|refreshtokens)$|(?:password|passwd|secret|apikey|credential)s$|^(?:pwd|authorization|proxyauthorization|cookie|setcookie|bearer|pin|cvv|cvc)$/;

/**
 * Secrets that are known by their form: our own, those of well-known services, JSON web tokens, private keys.
 * Each takes linear time: no text that begins one can stand inside another.
 */
const SECRETS = new RegExp(
  [
    String.raw`\bag[ktsp]_[0-9A-Za-z.]{20,}`,
    String.raw`\b(?:sk|rk|pk)[-_](?:live|test|proj|ant)[-_][0-9A-Za-z_-]{16,}`,
    String.raw`\bsk-[0-9A-Za-z_-]{20,}`,
    String.raw`\bgh[oprsu]_[0-9A-Za-z]{30,}`,
    String.raw`\bgithub_pat_[0-9A-Za-z_]{30,}`,
    String.raw`\bglpat-[0-9A-Za-z_-]{16,}`,
    String.raw`\bnpm_[0-9A-Za-z]{30,}`,
    String.raw`\bxox[abeoprs]-[0-9A-Za-z-]{10,}`,
    String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
    String.raw`\bAIza[0-9A-Za-z_-]{30,}`,
    String.raw`\bya29\.[0-9A-Za-z_-]{20,}`,
    String.raw`\bSG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}`,
    String.raw`(?<![0-9A-Za-z_-])eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]*`,
    String.raw`\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]*`,
    String.raw`\b(?:Bearer|Basic) [0-9A-Za-z._~+/-]{16,}=*`,
    String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----`,
  ].join("|"),
  "g",
);

/** The characters of the shortest text that {@link SECRETS} knows: a token's second part, `.eyJ…`, without a third. */
const SHORTEST_SECRET = 13;

/** Passwords in addresses. Linear, but slower than the others, since any character may begin one. */
const PASSWORD = /(?<=:\/\/[^\s/:@]{0,64}:)[^\s/@]{1,256}(?=@)/g;
/** Secrets among the parameters of an address. */
const PARAMETER =
  /(?<=[?&](?:access_token|refresh_token|token|api_key|apikey|key|secret|password|sig|signature)=)[^&#\s]{8,}/g;

/**
 * Replaces secrets in JSON: the values of members with a secret's name, and texts with a secret's form. A text
 * with a private key is hidden whole. Characters that PostgreSQL can't store are replaced too.
 *
 * @returns a copy.
 */
export function redact(value: unknown): unknown {
  return redactCounted(value).value;
}

/**
 * {@link redact}, with the number of values and names that are other ones in the copy.
 *
 * @param redactOne replaces what is secret in one text.
 */
export function redactCounted(value: unknown, redactOne = redactText): { value: unknown; count: number } {
  const redaction = { redactOne, count: 0 };
  return { value: redactValue(value, redaction), count: redaction.count };
}

type Redaction = { redactOne: (text: string) => string; count: number };

function redactValue(value: unknown, redaction: Redaction): unknown {
  if (typeof value === "string") return redactString(value, redaction);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => redactValue(element, redaction));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isHidden = isSecretName(name) && member !== null && member !== "";
      if (isHidden) redaction.count++;
      return [redactString(name, redaction), isHidden ? HIDDEN : redactValue(member, redaction)];
    }),
  );
}

function redactString(text: string, redaction: Redaction): string {
  const redacted = redaction.redactOne(text);
  if (redacted !== text) redaction.count++;
  return redacted;
}

/** Whether the value of a member with this name is a secret. */
export function isSecretName(name: string): boolean {
  return name.length <= 100 && SECRET_NAME.test(name.replaceAll(/[-_. ]/g, "").toLowerCase());
}

/** Replaces secrets with a known form in a text. */
export function redactText(text: string): string {
  if (text.includes("PRIVATE KEY-----")) return HIDDEN;
  let redacted = text.toWellFormed().replaceAll("\u0000", REPLACED);
  if (text.length >= SHORTEST_SECRET) redacted = redacted.replaceAll(SECRETS, HIDDEN);
  if (text.includes("@")) redacted = redacted.replaceAll(PASSWORD, HIDDEN);
  if (text.includes("=")) redacted = redacted.replaceAll(PARAMETER, HIDDEN);
  return redacted;
}

/** What stands in the place of a secret. */
export const HIDDEN = "[redacted]";
const REPLACED = "\ufffd";

/** Whether a text may have been another one before {@link redact}. */
export function mayBeRedacted(text: string): boolean {
  return text.includes(HIDDEN) || text.includes(REPLACED);
}

/** Members whose values are secrets, without separators and in lower case. */
const SECRET_NAME =
  /(?:password|passwd|passphrase|passcode|secret|apikey|secretkey|accesskey|privatekey|sshkey|signingkey|encryptionkey|credential)(?:s|value|\d{1,3})?$|token(?:value|\d{1,3})?$|(?:access|api|auth|bearer|refresh|session)tokens$|^(?:pwd|authorization|proxyauthorization|auth|cookie|setcookie|bearer|pin|otp|otpcode|cvv|cvc)$/;

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
    String.raw`\bwhsec_[0-9A-Za-z+/_-]{16,}`,
    String.raw`\bhf_[0-9A-Za-z]{20,}`,
    String.raw`\bhooks\.slack\.com/[a-z]{1,20}/[0-9A-Za-z/]{16,}`,
    String.raw`\b(?:Bearer|bearer|BEARER) [0-9A-Za-z._~+/-]{16,}=*`,
    String.raw`\b(?:Basic|BASIC|basic(?= [a-z0-9._~+/-]{0,40}[A-Z0-9])) [0-9A-Za-z._~+/-]{16,}=*`,
    String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----`,
  ].join("|"),
  "g",
);

/** The characters of the shortest text that {@link SECRETS} knows: a token's second part, `.eyJ…`, without a third. */
const SHORTEST_SECRET = 13;

/** Passwords in addresses. Linear, but slower than the others, since any character may begin one. */
const PASSWORD = /(?<=:\/\/[^\s/:@]{0,64}:)[^\s/]{1,256}(?=@)/g;
/** Secrets among the parameters of an address. */
const PARAMETER =
  /(?<=[?&](?:access_token|refresh_token|token|api_key|apikey|key|secret|password|sig|signature)=)[^&#\s]{8,}/g;

/** What is set to a secret by its name, as in a shell's variables and options: `API_KEY=…`, `--password …`. */
const ASSIGNED =
  /(?<=(?:password|passwd|pwd|passphrase|passcode|secret|token|api[_-]?key|(?:access|secret|private|ssh)[_-]?key)(?:=|(?<=--[a-z-]{0,40}) )["']?)[^\s"'&;,)]{4,}/gi;
/** The values of headers that are secrets, in a text. */
const HEADER =
  /(?<=(?:authorization|x-api-key|api-key|apikey|x-auth-token|private-token|cookie):[ ]?)[^\s"'][^\r\n"']{3,}/gi;
/** What every match of {@link ASSIGNED} and {@link HEADER} begins after. Most texts have none, which is found sooner. */
const NAMED = /(?:password|passwd|pwd|passphrase|passcode|secret|token|key|authorization|cookie)[=: ]/i;
/** The password of an option such as `curl -u user:password`. */
const USER = /(?<=\s(?:-u|--user)[ =]?["']?[^\s:"']{1,64}:)[^\s"']{1,256}/g;

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
  const names = new Map<string, number>();
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const isHidden = isSecretMember(name, member);
      if (isHidden) redaction.count++;
      const shown = nameOnce(names, redactString(name, redaction));
      return [shown, isHidden ? HIDDEN : redactValue(member, redaction)];
    }),
  );
}

/** Numbers names that are the same without their secrets, so that no member is lost. */
function nameOnce(names: Map<string, number>, name: string): string {
  let [unique, number] = [name, names.get(name) ?? 0];
  while (names.has(unique)) unique = `${name} ${++number + 1}`;
  names.set(unique, 0);
  if (unique !== name) names.set(name, number);
  return unique;
}

function isSecretMember(name: string, value: unknown): boolean {
  if (value === null || value === "") return false;
  return isSecretName(name) || (name.toLowerCase() === "tokens" && !isCount(value));
}

function isCount(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && /^\d{1,16}$/.test(value));
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
  if (NAMED.test(text)) redacted = redacted.replaceAll(ASSIGNED, HIDDEN).replaceAll(HEADER, HIDDEN);
  if (text.includes(" -u") || text.includes(" --user")) redacted = redacted.replaceAll(USER, HIDDEN);
  return redacted;
}

/** Names without separators and in lower case, as {@link normalize} makes them. */
const ENDS_IN_SECRET =
  /(?:password|passwd|passphrase|passcode|secret|apikey|secretkey|accesskey|accountkey|masterkey|privatekey|sshkey|signingkey|encryptionkey|credential|seedphrase)(?:s|value|\d{1,3})?$|token(?:value|\d{1,3})?$|(?:access|api|auth|bearer|refresh|session)tokens$/;
const IS_SECRET =
  /^(?:pwd|authorization|proxyauthorization|auth|cookies?|setcookie|bearer|jwt|pin|otp|otpcode|totp|cvv|cvv2|cvc|tokens|mnemonic)$|^(?:admin|database|db|ftp|http|login|mail|mysql|pg|postgres|proxy|redis|root|smtp|ssh|sudo|user)?pass$/;

/** Names whose values are parts of a page's address or of a model's vocabulary: `next_page_token`, `eosToken`. */
const NO_SECRET_TOKEN =
  /(?:^|[^a-z])(?:bos|cancellation|cls|continuation|cursor|end|eos|first|idempotency|input|last|mask|max|min|next|output|pad|page|prev|previous|prompt|resume|sep|special|start|stop|sync|total|unk)[^a-z]?token$/;

/** Names of which numbers are secrets too. */
const NUMBERS = /(?:password|passwd|passcode|pin|otp|otpcode|totp|cvv|cvv2|cvc)$/;

/** Names of objects that say how one proves who one is, or what was used, beside secrets. */
const DESCRIPTIONS = new Set(["auth", "tokens"]);

/** Values that say what is expected, as in a schema, or that there is no secret. */
const PLACEHOLDERS = new Set([
  ...["", "any", "basic", "bearer", "bool", "boolean", "default", "disabled", "enabled", "expired", "false"],
  ...["hidden", "include", "invalid", "masked", "missing", "nil", "no", "none", "null", "number", "oauth"],
  ...["oauth2", "omit", "optional", "redacted", "required", "same-origin", "str", "string", "true"],
  ...["undefined", "unknown", "unset", "yes"],
]);

const LONGEST_PLACEHOLDER = Math.max(...[...PLACEHOLDERS].map((text) => text.length));

/** Longer texts are no names. */
const LONGEST_NAME = 100;

/**
 * Whether the value of a member with this name is a secret.
 *
 * @param value left out: whether some texts would be.
 */
export function isSecretMember(name: string, value: unknown = "x"): boolean {
  if (name.length > LONGEST_NAME || value === null) return false;
  const known = normalize(name);
  if (!ENDS_IN_SECRET.test(known) && !IS_SECRET.test(known)) return false;
  if (known.endsWith("token") && NO_SECRET_TOKEN.test(divide(name))) return false;
  return isSecretValue(known, value);
}

/** Leaves out what divides words, also brackets as they are encoded in addresses. */
function normalize(name: string): string {
  return name.replaceAll(/%5[bd]|[^0-9a-z]/gi, "").toLowerCase();
}

/** Divides words by a character that is no letter: `next_token`. */
function divide(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
}

function isSecretValue(name: string, value: unknown): boolean {
  switch (typeof value) {
    case "string":
      return !isPlaceholder(value) && !isDescription(name, value);
    case "number":
    case "bigint":
      return NUMBERS.test(name);
    case "object":
      return isSecretObject(name, value);
    default:
      return false;
  }
}

function isPlaceholder(text: string): boolean {
  return text.length <= LONGEST_PLACEHOLDER && PLACEHOLDERS.has(text.toLowerCase());
}

/** A shell calls the folder it is in PWD, and counts of tokens are written as texts too. */
function isDescription(name: string, text: string): boolean {
  if (name === "pwd") return /^(?:[/~.]|[A-Za-z]:\\)/.test(text);
  return name === "tokens" && /^[-+]?[\d.,_ ]{1,24}[kKmM]?$/.test(text);
}

function isSecretObject(name: string, value: object | null): boolean {
  if (Array.isArray(value)) return value.some((element) => isSecretValue(name, element));
  return value !== null && !DESCRIPTIONS.has(name) && Object.keys(value).length > 0;
}

/** A bearer that a caller put into the address by mistake. */
const BEARER = /ag[ktsp]_[0-9A-Za-z.]+/gi;
const REDACTED = "[redacted]";
/** A longer one is logged up to here. */
const MAX_LENGTH = 1000;

/** A path as it may be logged: without bearers, and without what follows the page of a mailed link. */
export function redactPath(path: string): string {
  const shown = withoutLinkToken(path).replaceAll(BEARER, REDACTED);
  return shown.length > MAX_LENGTH ? `${shown.slice(0, MAX_LENGTH)}…` : shown;
}

/** Links are `/users/{page}/{token}`, with one or more slashes, which may be encoded. */
function withoutLinkToken(path: string): string {
  // Segments, and between them the slashes.
  const parts = path.split(/(\/|%2f)/i);
  const filled = [...parts.keys()].filter((at) => at % 2 === 0 && parts[at] !== "");
  const users = filled.findIndex((at) => parts[at]?.toLowerCase() === "users");
  const token = users === -1 ? undefined : filled[users + 2];
  return token === undefined ? path : parts.slice(0, token).join("") + REDACTED;
}

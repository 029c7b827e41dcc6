import { readCookies } from "../../http/cookies.ts";
import { serializeCookie } from "../vendor/lucia.ts";
import { PENDING_SECONDS } from "./pending-log-in.ts";

const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A cookie of a secure page can't be set by pages of other hosts of its domain. */
function getName(secure: boolean): string {
  return secure ? "__Host-agent_ops_log_in" : "_agent_ops_log_in";
}

/** Reads the secret of the browser's log-in that waits for a second factor; null without exactly one. */
export function readPendingCookie(header: string | undefined, secure: boolean): string | null {
  const [secret, ...others] = new Set(readCookies(header, getName(secure)));
  return secret !== undefined && others.length === 0 && SECRET.test(secret) ? secret : null;
}

/** Builds the Set-Cookie header that stores the secret; null clears it. */
export function createPendingCookie(secret: string | null, secure: boolean): string {
  const maxAge = secret === null ? 0 : PENDING_SECONDS;
  return serializeCookie(getName(secure), secret ?? "", { secure, maxAge });
}

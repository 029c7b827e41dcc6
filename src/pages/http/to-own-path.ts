/** Visible ASCII but for the backslash, which browsers read as a slash; two slashes would name another host. */
const OWN_PATH = /^\/(?:[\x21-\x2e\x30-\x5b\x5d-\x7e][\x21-\x5b\x5d-\x7e]{0,2000})?$/;

/** A path to return to, where it is one of ours; else the start page's. */
export function toOwnPath(asked: string | undefined): string {
  return asked !== undefined && OWN_PATH.test(asked) ? asked : "/";
}

/** The address of the log-in page that returns to a path. */
export function logInPath(returnTo: string): string {
  return returnTo === "/" ? "/users/log-in" : `/users/log-in?return_to=${encodeURIComponent(returnTo)}`;
}

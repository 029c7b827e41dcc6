/** Visible ASCII except the backslash, which browsers treat as a slash. Two leading slashes would name another host. */
const OWN_PATH = /^\/(?:[\x21-\x2e\x30-\x5b\x5d-\x7e][\x21-\x5b\x5d-\x7e]{0,2000})?$/;

/** The path to return to if it is on this site, else `/`. */
export function toOwnPath(asked: string | undefined): string {
  return asked !== undefined && OWN_PATH.test(asked) ? asked : "/";
}

/** The URL of the log-in page that returns to a path, if the log-in page would accept it. */
export function logInPath(returnTo: string): string {
  const path = toOwnPath(returnTo);
  return path === "/" ? "/users/log-in" : `/users/log-in?return_to=${encodeURIComponent(path)}`;
}

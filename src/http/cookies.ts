/**
 * Returns a cookie's values in order. Browsers send several if cookies of other paths or domains have the
 * same name. Malformed values are left out.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6265#section-5.4
 */
export function readCookies(header: string | undefined, name: string): string[] {
  const values: string[] = [];
  for (const pair of (header ?? "").split(";")) {
    const equals = pair.indexOf("=");
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue;
    values.push(pair.slice(equals + 1).trim());
  }
  return values;
}

/**
 * The values that a Cookie header holds under a name, in their order; a browser sends several where
 * cookies of other paths or domains have the name too. Whatever can't be read is left out.
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

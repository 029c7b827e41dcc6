/** Writes a place for clients, who are not meant to read it, as base64url without padding. */
export function writeCursorText(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** Reads what was written so; null for anything else, such as with more behind it. */
export function readCursorText(cursor: string): string | null {
  const text = Buffer.from(cursor, "base64url").toString();
  return writeCursorText(text) === cursor ? text : null;
}

/** Encodes a position as an opaque cursor, in base64url without padding. */
export function writeCursorText(text: string): string {
  return Buffer.from(text).toString("base64url");
}

/** Decodes such a cursor. Null for any other text. */
export function readCursorText(cursor: string): string | null {
  const text = Buffer.from(cursor, "base64url").toString();
  return writeCursorText(text) === cursor ? text : null;
}

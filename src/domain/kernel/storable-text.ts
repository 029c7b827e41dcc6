/** A check for text that PostgreSQL can store, with its error message. */
export const STORABLE_TEXT = [
  (text: string) => !text.includes("\0") && text.isWellFormed(),
  "must not contain NUL or an unpaired surrogate",
] as const;

/** The check of a text that PostgreSQL can store, and what to say of one that it can't. */
export const STORABLE_TEXT = [
  (text: string) => !text.includes("\0") && text.isWellFormed(),
  "must not contain NUL or half a surrogate pair",
] as const;

/** A field whose value differs, in words. Null where it is missing. */
export type Difference = { field: string; before: string | null; after: string | null };

/** What separates words in a title, beside blanks. The index task_words_idx holds the same expression. */
const SEPARATORS = "-_./\\:@#+,;&*()[]{}<>=!?\"''";

/** The words of a task's title and its workspace, as the index has them. */
export const TASK_WORDS = `(to_tsvector('simple'::regconfig, translate(title, '${SEPARATORS}', repeat(' ', 26)))
  || array_to_tsvector(ARRAY[workspace_id::text]))`;

/** What a search looks for: the start of a word for each of its words; null where it has none. */
export function wordQuery(search: string): string | null {
  const words = search.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? null : words.map((word) => `${word}:*`).join(" & ");
}

/** Characters that can't be seen, or that change the order in which others are shown. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** Chooses the colored form of an emoji. */
const EMOJI_FORM = "\ufe0f";

/**
 * A text that an agent wrote, with what can't be seen as an escape such as `\u{202e}`, so that it can't look like
 * another text. `kept` are characters to leave, such as line feeds.
 */
export function toVisibleText(text: string, kept = ""): string {
  return text.replaceAll(UNSEEN, (character) =>
    character === EMOJI_FORM || kept.includes(character)
      ? character
      : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** How many characters of a text {@link toVisibleText} shows as escapes. */
export function countUnseen(text: string): number {
  return [...text.matchAll(UNSEEN)].filter(([character]) => character !== EMOJI_FORM).length;
}

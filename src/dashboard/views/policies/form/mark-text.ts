/** A part of a text. `at` is where it begins, in UTF-16 units. */
export type TextPart = { at: number; text: string; isMarked: boolean };

type Range = { start: number | null; end: number | null };

/** Splits a text where marked ranges begin and end. One without length marks the character before it. */
export function markText(text: string, ranges: readonly Range[]): TextPart[] {
  const marked = ranges.flatMap(({ start, end }) =>
    start === null || end === null ? [] : [{ start: end > start ? start : Math.max(0, start - 1), end }],
  );
  const cuts = [0, text.length, ...marked.flatMap(({ start, end }) => [start, end])].map((cut) =>
    Math.min(cut, text.length),
  );
  const places = [...new Set(cuts)].toSorted((one, other) => one - other);
  return places.slice(0, -1).map((at, index) => ({
    at,
    text: text.slice(at, places[index + 1]),
    isMarked: marked.some(({ start, end }) => start <= at && at < end),
  }));
}

/** Limits of a span. Texts are truncated, with a mark; what is too many is left out. Both are counted. */
export const SPAN_LIMITS = {
  /** Spans of one request, and of a trace. */
  spans: 100_000,
  /** What spans, records or points of one request, their attributes, events and links are together. */
  parts: 1_000_000,
  /** How many reasons for rejected spans an answer tells. */
  reasons: 5,
  nameLength: 1024,
  keyLength: 256,
  attributes: 256,
  events: 128,
  links: 128,
  /** Lists and objects inside each other. */
  depth: 32,
  /** List elements and object members of all values of a span. */
  elements: 50_000,
  /** Characters of a value as JSON. Of longer ones, the beginning and the end are kept, with a mark: the latest messages. */
  valueLength: 65_536,
  valueHead: 16_384,
  valueTail: 49_088,
  /** Characters of a span's attributes, events and links as JSON. */
  spanLength: 262_144,
  /** Of an attribute that says something about the span itself, such as a model. */
  wordLength: 256,
  /** Characters of a text that is stored of no known attribute where content isn't. */
  plainLength: 1024,
  hoursAhead: 24,
  /** How long a trace that is searched for took at least, in milliseconds. */
  leastDurationMs: { min: 1, max: 2_147_483_647 },
  /** The most that a count of what a sender left out says. */
  dropped: 1_000_000,
} as const;

/** Characters that PostgreSQL can't store. */
const UNSTORABLE = /\0/g;

/** Replaces what PostgreSQL can't store: NUL and unpaired surrogates. */
export function toStorable(text: string): string {
  return text.toWellFormed().replaceAll(UNSTORABLE, "\ufffd");
}

/** Makes a short text storable and truncates it, with a mark. Looks only at what is kept. */
export function truncate(text: string, length: number): string {
  return text.length <= length ? toStorable(text) : `${toStorable(text.slice(0, length - 1))}…`;
}

/** Leaves out the middle of a long text, with a mark. */
export function cutMiddle(text: string): string {
  const { valueLength, valueHead, valueTail } = SPAN_LIMITS;
  if (text.length <= valueLength) return text;
  const [head, tail] = [text.slice(0, valueHead), text.slice(-valueTail)];
  return `${head}…[${text.length - valueHead - valueTail} characters left out]…${tail}`.toWellFormed();
}

import { findContentKind } from "./content-keys.ts";
import { limitValue } from "./limit-value.ts";
import { hashPerson, isForbidden, isPersonal, redactContent, redactContentText } from "./redact-content.ts";
import { SPAN_LIMITS, truncate } from "./span-limits.ts";
import type { Attributes, Json, ReadOptions } from "./telemetry.ts";

type Kept = Record<string, Json>;

/** What is stored of a span's attributes and of those of its events and links. */
export type AttributeReader = {
  /**
   * Keeps attributes within the limits. Content goes to `input` and `output`.
   *
   * @param prefix for the names of content.
   */
  keep: (attributes: Attributes, prefix?: string) => Kept;
  /** A text of the span, such as its name, without secrets. */
  keepText: (text: string, length: number) => string;
  input: Kept;
  output: Kept;
  counts: { dropped: number; redactions: number };
};

/** Reads the attributes of one span. */
export function createAttributeReader({ capture, workspaceId }: ReadOptions): AttributeReader {
  const [input, output] = [createObject(), createObject()];
  const counts = { dropped: 0, redactions: 0 };
  let left: number = SPAN_LIMITS.spanLength;

  function keep(attributes: Attributes, prefix = ""): Kept {
    const kept = createObject();
    for (const [sentKey, sent] of attributes) {
      const key = truncate(sentKey, SPAN_LIMITS.keyLength);
      const kind = findContentKind(key);
      const value = isForbidden(key) || (kind !== null && capture === "off") ? undefined : read(key, sent);
      if (value === undefined) counts.dropped++;
      else if (kind === null) kept[key] = value;
      else ({ input, output })[kind][`${prefix}${key}`] = value;
    }
    return kept;
  }

  /** Undefined if there is no room for it. */
  function read(key: string, sent: Json): Json | undefined {
    const { value, size, isCut } = limitValue(sent);
    if (size + key.length > left) return undefined;
    left -= size + key.length;
    if (isCut) counts.dropped++;
    if (capture === "full") return value;
    if (isPersonal(key)) return hashPerson(workspaceId, value);
    if (capture === "off" && typeof value === "string" && value.length > SPAN_LIMITS.plainLength)
      return undefined;
    const redacted = redactContent({ [key]: value });
    counts.redactions += redacted.count;
    // An object of one member, as it was given.
    return Object.values(redacted.value as Kept)[0];
  }

  function keepText(text: string, length: number): string {
    if (text.length > length) counts.dropped++;
    const storable = truncate(text, length);
    const redacted = capture === "full" ? storable : redactContentText(storable);
    if (redacted !== storable) counts.redactions++;
    return redacted;
  }

  return { keep, keepText, input, output, counts };
}

/** Without a prototype, so that any name is a member like others. */
function createObject(): Kept {
  // An object without a prototype has no type of its own.
  return Object.create(null) as Kept;
}

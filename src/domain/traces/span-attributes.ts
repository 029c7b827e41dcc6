import type { CaptureContent } from "../../db/generated/enums.ts";
import { HIDDEN } from "../kernel/redact/hidden.ts";
import { isSecretMember } from "../kernel/redact/is-secret-member.ts";
import { type AttributeName, readAttributeName } from "./attribute-name.ts";
import { limitValue } from "./limit-value.ts";
import { hashPerson, redactContent, redactContentText } from "./redact-content.ts";
import { SPAN_LIMITS, truncate } from "./span-limits.ts";
import type { Attributes, Json, ReadOptions } from "./telemetry.ts";

/** What is stored of a span's attributes and of those of its events and links. */
export type AttributeReader = {
  /**
   * Keeps attributes within the limits. Content is kept apart.
   *
   * @param prefix for the names of content.
   * @returns JSON text.
   */
  keep: (attributes: Attributes, prefix?: string) => string;
  /** A text of the span, such as its name, without secrets. */
  keepText: (text: string, length: number) => string;
  /** The content that was kept, as JSON text. Null if there is none. */
  writeContent: (kind: "input" | "output") => string | null;
  counts: { dropped: number; redactions: number };
};

type ReaderOptions = Pick<ReadOptions, "workspaceId"> & { capture: CaptureContent };

/** Reads the attributes of one span. */
export function createAttributeReader({ capture, workspaceId }: ReaderOptions): AttributeReader {
  const content = { input: "", output: "" };
  const counts = { dropped: 0, redactions: 0 };
  let left: number = SPAN_LIMITS.spanLength;

  function keep(attributes: Attributes, prefix = ""): string {
    let kept = "";
    for (const [sentKey, sent] of attributes) {
      const name = readAttributeName(sentKey);
      const isLeftOut = name.isForbidden || (name.content !== null && capture === "off");
      const value = isLeftOut ? undefined : read(name, sent);
      const shown = capture === "full" ? "key" : "redacted";
      if (value === undefined) counts.dropped++;
      else if (name.content === null) kept = addMember(kept, name.json[shown], value);
      else {
        const key = JSON.stringify(`${prefix}${name[shown]}`);
        content[name.content] = addMember(content[name.content], key, value);
      }
    }
    return `{${kept}}`;
  }

  /** Undefined if there is no room for it. */
  function read(name: AttributeName, sent: Json): Json | undefined {
    const { value, size, isCut } = limitValue(sent);
    if (size + name.key.length > left) return undefined;
    left -= size + name.key.length;
    if (isCut) counts.dropped++;
    if (capture === "full") return value;
    if (name.isPersonal) return hashPerson(workspaceId, value);
    if (capture === "off" && typeof value === "string" && value.length > SPAN_LIMITS.plainLength)
      return undefined;
    if (name.redacted !== name.key) counts.redactions++;
    return redactValue(name, value, counts);
  }

  function keepText(text: string, length: number): string {
    if (text.length > length) counts.dropped++;
    const storable = truncate(text, length);
    return capture === "full" ? storable : redactString(storable, counts);
  }

  function writeContent(kind: "input" | "output"): string | null {
    const members = content[kind];
    return members === "" ? null : `{${members}}`;
  }

  return { keep, keepText, writeContent, counts };
}

type Counts = AttributeReader["counts"];

function redactValue(name: AttributeName, value: Json, counts: Counts): Json {
  if (name.isSecret && isSecretMember(name.key, value)) {
    counts.redactions++;
    return HIDDEN;
  }
  if (typeof value === "string") return redactString(value, counts);
  if (typeof value !== "object") return value;
  const { value: redacted, count } = redactContent(value);
  counts.redactions += count;
  return redacted;
}

function redactString(text: string, counts: Counts): string {
  const redacted = redactContentText(text);
  if (redacted !== text) counts.redactions++;
  return redacted;
}

/**
 * Adds a member to those of an object, as JSON text. Of members with one name, the last one is stored.
 *
 * @param name as JSON text.
 */
function addMember(members: string, name: string, value: Json): string {
  return `${members}${members === "" ? "" : ","}${name}:${JSON.stringify(value)}`;
}

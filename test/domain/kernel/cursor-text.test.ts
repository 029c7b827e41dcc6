import { describe, expect, it } from "vitest";
import { parseEventPosition } from "../../../src/domain/event-log/event-cursor.ts";
import { readCursorText, writeCursorText } from "../../../src/domain/kernel/cursor-text.ts";
import { decodeCursor, encodeCursor } from "../../../src/domain/directory/cursor.ts";
import { eventCursor } from "../../../src/domain/kernel/cursors.ts";

/** Characters ignored by base64 decoders. */
const JUNK = ["=", "==", "\n", " ", "!", "~junk", "=junk", "\u0000", "é", ".", ".x"];

describe("a cursor", () => {
  it("can be parsed", () => {
    for (const text of ["", "a", "ab", "abc", "v1.é.𝄞"])
      expect(readCursorText(writeCursorText(text))).toBe(text);
  });

  it("is invalid with additional characters", () => {
    const cursor = writeCursorText("v1.something");
    for (const junk of JUNK) {
      for (const changed of [cursor + junk, junk + cursor, cursor.slice(0, 4) + junk + cursor.slice(4)]) {
        expect(readCursorText(changed), JSON.stringify(changed)).toBeNull();
      }
    }
    // The last character has bits that no byte needs.
    expect(readCursorText(writeCursorText("a").replace(/.$/, "R"))).toBeNull();
  });

  it("of events is rejected with trailing characters", () => {
    const cursor = eventCursor(crypto.randomUUID(), 7n);
    expect(parseEventPosition("after", cursor).seq).toBe(7);
    for (const junk of JUNK) {
      expect(() => parseEventPosition("after", cursor + junk)).toThrow("is not an event cursor");
    }
  });

  it("of the directory is rejected with trailing characters in either part", () => {
    const place = { key: "a", createdAt: new Date(), id: crypto.randomUUID(), isBackward: false, count: 5 };
    const cursor = encodeCursor(place, "query");
    expect(decodeCursor(cursor, "query")).toEqual(place);
    for (const junk of JUNK) {
      expect(() => decodeCursor(cursor + junk, "query")).toThrow("not valid for this list");
      expect(() => decodeCursor(cursor.replace(".", `${junk}.`), "query")).toThrow("not valid for this list");
    }
  });
});

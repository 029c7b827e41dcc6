import { describe, expect, it } from "vitest";
import { createDocuments } from "../../src/gateway/socket-documents.ts";

/** A query of this many fields, each of three tokens. */
function query(fields: number): string {
  return `{ ${Array.from({ length: fields }, (_, at) => `f${at}: __typename`).join(" ")} }`;
}

describe("socket documents", () => {
  it("are parsed once while in use, except wide ones, which are not cached", () => {
    const documents = createDocuments();
    function isRemembered(text: string): boolean {
      const [first, second] = [documents(text, null), documents(text, null)];
      if (!("document" in first && "document" in second)) throw new Error("not valid");
      // The document is too long to be printed in a failure.
      return first.document === second.document;
    }
    expect(isRemembered(query(10))).toBe(true);
    expect(isRemembered(query(300))).toBe(false);
  });
});

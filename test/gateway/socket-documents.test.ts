import { describe, expect, it } from "vitest";
import { createDocuments } from "../../src/gateway/socket-documents.ts";

/** A query of so many fields, each of three tokens. */
function query(fields: number): string {
  return `{ ${Array.from({ length: fields }, (_, at) => `f${at}: __typename`).join(" ")} }`;
}

describe("documents of sockets", () => {
  it("are read once while they are in use, but for wide ones, which are not remembered", () => {
    const documents = createDocuments();
    function isRemembered(text: string): boolean {
      const [first, second] = [documents(text, null), documents(text, null)];
      if (!("document" in first && "document" in second)) throw new Error("not valid");
      // A document is too long to be printed where this fails.
      return first.document === second.document;
    }
    expect(isRemembered(query(10))).toBe(true);
    expect(isRemembered(query(300))).toBe(false);
  });
});

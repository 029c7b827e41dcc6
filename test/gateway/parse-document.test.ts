import { GraphQLError } from "graphql";
import { describe, expect, it } from "vitest";
import { parseDocument } from "../../src/gateway/parse-document.ts";

describe("a document", () => {
  it.each(["[", "{a:", "[{a:"])(
    "that nests %s without end is rejected, wherever the stack ends",
    (opening) => {
      const query = `{ search(text: ${opening.repeat(10_000)}`;
      function parseAt(depth: number): unknown {
        return depth === 0 ? parseDocument(query) : parseAt(depth - 1);
      }
      for (let depth = 0; depth < 7000; depth += 1000) {
        expect(() => parseAt(depth)).toThrow(GraphQLError);
      }
    },
  );
});

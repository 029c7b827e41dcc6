import { afterEach, describe, expect, it } from "vitest";
import { type SchemaThread, openSchemaThread } from "../../../src/domain/json-schema/schema-thread.ts";

/** Takes about 10 MB when compiled. */
function createLargeSchema(title: string): string {
  const pattern = (index: number) => `(a{0,30}b?){10}${title}x${index}`;
  return JSON.stringify({
    allOf: Array.from({ length: 100 }, (_each, index) => ({ pattern: pattern(index) })),
  });
}

let thread: SchemaThread;

async function startThread(): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    thread = openSchemaThread({ onReady: resolve, onError: reject });
    thread.start();
  });
}

afterEach(() => thread.end());

describe("a schema thread", () => {
  it(
    "does not run out of memory because of schemas that it checked before",
    { timeout: 60_000 },
    async () => {
      await startThread();
      const verdicts: unknown[] = [];
      for (let index = 0; index < 25; index++) {
        const answer = await thread.run({ schema: createLargeSchema(String(index)), value: null });
        verdicts.push(answer?.verdict);
      }
      expect(verdicts).toEqual(Array.from({ length: 25 }, () => null));
    },
  );
});

/** A text as JSON, or that it is none. */
export type ParsedJson = { isValid: true; value: unknown } | { isValid: false; problem: string };

/** Reads a text as JSON. */
export function parseJson(text: string): ParsedJson {
  try {
    const value: unknown = JSON.parse(text);
    return { isValid: true, value };
  } catch (error) {
    return { isValid: false, problem: error instanceof Error ? error.message : "This is not JSON." };
  }
}

/** A parsed JSON text, or the syntax error. */
export type ParsedJson = { isValid: true; value: unknown } | { isValid: false; problem: string };

export function parseJson(text: string): ParsedJson {
  try {
    const value: unknown = JSON.parse(text);
    return { isValid: true, value };
  } catch (error) {
    return { isValid: false, problem: error instanceof Error ? error.message : "Enter valid JSON." };
  }
}

/** More than any answer of the service has. */
const MOST_BYTES = 33_554_432;

/**
 * Reads an answer's body as text. Fetch decompresses it, so that few bytes may become very many.
 *
 * @returns null if it is too large.
 */
export async function readText({ body }: Pick<Response, "body">): Promise<string | null> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  // Leaving the loop cancels the request.
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > MOST_BYTES) return null;
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

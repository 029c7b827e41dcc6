import { z } from "zod";

/** The most characters of a response: an id of 1023 bytes and the largest keys fit. */
const LENGTH = 16_384;
const ID_LENGTH = 1364;

const base64url = z
  .string()
  .max(4096)
  .regex(/^[A-Za-z0-9_-]*$/);

/** What a browser says after making or using a passkey, as far as it is read here. */
export type PasskeyResponse = { credentialId: string; challenge: string; whole: unknown };

const shape = z.object({ id: base64url.max(ID_LENGTH), response: z.object({ clientDataJSON: base64url }) });
const clientData = z.object({ challenge: base64url });

/** Reads what a browser says, which is not verified yet. Returns null if it can't be one. */
export function parsePasskeyResponse(text: string): PasskeyResponse | null {
  const whole = text.length > LENGTH ? null : parseJson(text);
  const parsed = shape.safeParse(whole);
  if (!parsed.success) return null;
  const { id, response } = parsed.data;
  const said = clientData.safeParse(parseJson(Buffer.from(response.clientDataJSON, "base64url").toString()));
  return said.success ? { credentialId: id, challenge: said.data.challenge, whole } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

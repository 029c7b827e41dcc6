const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * Encodes bytes without padding.
 *
 * @see https://www.rfc-editor.org/rfc/rfc4648#section-6
 */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

/** Decodes what {@link encodeBase32} has made. */
export function decodeBase32(text: string): Uint8Array {
  const bits = text.replaceAll(/./g, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0"));
  const bytes = bits.match(/.{8}/g) ?? [];
  return Uint8Array.from(bytes, (byte) => Number.parseInt(byte, 2));
}

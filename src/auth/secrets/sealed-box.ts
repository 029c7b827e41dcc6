import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** Encrypts what must be read again, with AES-256-GCM. */
export type SealedBox = {
  /** Encrypts a text for one place. */
  seal: (text: string, place: Place) => Uint8Array<ArrayBuffer>;
  /** Decrypts a text. Returns null if it was changed, is of another place, or its key is unknown. */
  open: (sealed: Uint8Array, place: Place) => string | null;
  /** Whether it is sealed with the key that seals now. */
  isCurrent: (sealed: Uint8Array) => boolean;
};

/** Where a sealed text is, so that a copy elsewhere does not open: workspace, table, row and column, or the like. */
export type Place = readonly string[];

type Key = { id: Buffer; secret: Buffer };

const CIPHER = "aes-256-gcm";
const VERSION = 1;
const [ID_BYTES, NONCE_BYTES, TAG_BYTES] = [4, 12, 16];
const NONCE_AT = 1 + ID_BYTES;
const TEXT_AT = NONCE_AT + NONCE_BYTES;

/**
 * Creates a box from keys of 32 bytes: the first one seals, all of them open. A sealed text is the version, the key's
 * id, the nonce, the ciphertext and the tag.
 */
export function createSealedBox([first, ...others]: readonly [Buffer, ...Buffer[]]): SealedBox {
  const current = nameKey(first);
  const keys = [current, ...others.map(nameKey)];
  return {
    seal: (text, place) => seal(current, text, place),
    open: (sealed, place) => {
      const key = keys.find((one) => hasKey(sealed, one));
      return key === undefined ? null : open(key, sealed, place);
    },
    isCurrent: (sealed) => hasKey(sealed, current),
  };
}

function nameKey(secret: Buffer): Key {
  const id = createHash("sha256").update("id of a sealing key").update(secret).digest().subarray(0, ID_BYTES);
  return { id, secret };
}

function hasKey(sealed: Uint8Array, { id }: Key): boolean {
  return sealed[0] === VERSION && id.equals(sealed.subarray(1, NONCE_AT));
}

function seal({ id, secret }: Key, text: string, place: Place): Uint8Array<ArrayBuffer> {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(toBytes(place));
  const parts = [cipher.update(text, "utf8"), cipher.final()];
  return new Uint8Array(Buffer.concat([Buffer.of(VERSION), id, nonce, ...parts, cipher.getAuthTag()]));
}

function open({ secret }: Key, sealed: Uint8Array, place: Place): string | null {
  if (sealed.length < TEXT_AT + TAG_BYTES) return null;
  const tagAt = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv(CIPHER, secret, sealed.subarray(NONCE_AT, TEXT_AT))
    .setAAD(toBytes(place))
    .setAuthTag(sealed.subarray(tagAt));
  try {
    return decipher.update(sealed.subarray(TEXT_AT, tagAt), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}

/** As RFC 8785 writes a list of texts. */
function toBytes(place: Place): Buffer {
  return Buffer.from(JSON.stringify(place));
}

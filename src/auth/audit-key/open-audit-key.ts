import { createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { AuditSigner } from "../../domain/audit/signature.ts";

/** Where the key that signs audit checkpoints comes from. */
export type AuditKeySource = {
  /** AUDIT_KEY: 32 bytes as base64. */
  auditKey: string | null;
  /** AUDIT_EARLIER_KEYS: public keys as base64url. */
  auditEarlierKeys?: readonly string[];
  /** With the embedded database alone, a key is made there where none is given. */
  databaseUrl: string | null;
  dataDir: string;
};

/**
 * Opens the key that signs checkpoints of the audit log: AUDIT_KEY, or audit.key in DATA_DIR, which is made
 * where the database is the embedded one. Null with an external database and no AUDIT_KEY: a file of one
 * node's would be another on each.
 *
 * @throws where audit.key is no key, or can't be read or made.
 */
export async function openAuditKey({
  auditKey,
  auditEarlierKeys = [],
  databaseUrl,
  dataDir,
}: AuditKeySource): Promise<AuditSigner | null> {
  if (auditKey !== null) return createSigner(Buffer.from(auditKey, "base64"), auditEarlierKeys);
  if (databaseUrl !== null) return null;
  const file = path.join(dataDir, "audit.key");
  const seed = Buffer.from((await readOrCreate(file)).trim(), "base64");
  if (seed.length !== 32) throw new Error(`${file} is no key: it must hold 32 bytes as base64`);
  return createSigner(seed, auditEarlierKeys);
}

async function readOrCreate(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (!hasErrorCode(error, "ENOENT")) throw error;
  }
  await createKeyFile(file);
  return readFile(file, "utf8");
}

/** Of two processes that make the key at once, one has its way. A reader finds it whole. */
async function createKeyFile(file: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.${crypto.randomUUID()}`;
  await writeFile(draft, `${randomBytes(32).toString("base64")}\n`, { mode: 0o600, flag: "wx", flush: true });
  try {
    await link(draft, file);
  } catch (error) {
    if (!hasErrorCode(error, "EEXIST")) throw error;
  } finally {
    await rm(draft);
  }
}

/** Ed25519's PKCS #8 frame, before the 32 bytes of the key. @see https://www.rfc-editor.org/rfc/rfc8410 */
const FRAME = Buffer.from("302e020100300506032b657004220420", "hex");

function createSigner(seed: Buffer, earlier: readonly string[]): AuditSigner {
  const key = createPrivateKey({ key: Buffer.concat([FRAME, seed]), format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  return {
    key: x,
    trusted: new Set([x, ...earlier]),
    sign: (text) => sign(null, Buffer.from(text), key).toString("base64url"),
  };
}

function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

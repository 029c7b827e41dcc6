import { createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { AuditSigner } from "../../domain/audit/signature.ts";

/** Where to read the key that signs audit checkpoints. */
export type AuditKeySource = {
  /** AUDIT_KEY: 32 bytes in base64. */
  auditKey: string | null;
  /** AUDIT_EARLIER_KEYS: public keys in base64url. */
  auditEarlierKeys?: readonly string[];
  /** Null for the embedded database. Only then is a missing key created. */
  databaseUrl: string | null;
  dataDir: string;
};

/**
 * Opens the key that signs checkpoints of the audit log: AUDIT_KEY, or audit.key in DATA_DIR, which is
 * created if the database is the embedded one. Returns null with an external database and no AUDIT_KEY: a
 * key file would differ between nodes.
 *
 * @throws if audit.key is invalid, or can't be read or created.
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
  if (seed.length !== 32)
    throw new Error(
      `${file} is not a valid key: it must contain 32 bytes in base64. Restore it from a backup.`,
    );
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

/** Creates the file atomically: of two processes one wins, and a reader never sees a partial key. */
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

/**
 * The PKCS #8 prefix of an Ed25519 private key, before its 32 bytes. @see
 * https://www.rfc-editor.org/rfc/rfc8410
 */
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

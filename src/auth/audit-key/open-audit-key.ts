import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import path from "node:path";
import type { AuditSigner } from "../../domain/audit/signature.ts";
import { readKeyFile } from "../key-file.ts";

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
  return createSigner(await readKeyFile(path.join(dataDir, "audit.key")), auditEarlierKeys);
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

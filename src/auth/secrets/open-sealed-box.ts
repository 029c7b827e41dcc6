import path from "node:path";
import { readKeyFile } from "../key-file.ts";
import { type SealedBox, createSealedBox } from "./sealed-box.ts";

/** Where to read the keys that seal secrets. */
export type SealedBoxSource = {
  /** SECRETS_KEY: keys of 32 bytes in base64. */
  secretsKeys: readonly string[];
  /** Null for the embedded database. Only then is a missing key created. */
  databaseUrl: string | null;
  dataDir: string;
};

/**
 * Opens the box that seals secrets in the database: with SECRETS_KEY, or with secrets.key in DATA_DIR, which is
 * created if the database is the embedded one. Returns null with an external database and no SECRETS_KEY: a key
 * file would differ between nodes.
 *
 * @throws if secrets.key is invalid, or can't be read or created.
 */
export async function openSealedBox({
  secretsKeys,
  databaseUrl,
  dataDir,
}: SealedBoxSource): Promise<SealedBox | null> {
  const [first, ...others] = secretsKeys.map((key) => Buffer.from(key, "base64"));
  if (first !== undefined) return createSealedBox([first, ...others]);
  if (databaseUrl !== null) return null;
  return createSealedBox([await readKeyFile(path.join(dataDir, "secrets.key"))]);
}

import type { Config } from "../../config/config.ts";
import { type Finding, ok, warn } from "../../db/diagnosis/finding.ts";

/** With the embedded database, keys that aren't set are made in the data folder. */
export function examineKeys({ databaseUrl, dataDir, secretsKeys, auditKey }: Config): Finding[] {
  const isMade = databaseUrl === null;
  return [
    secretsKeys.length > 0 || isMade
      ? ok("keys.secrets", secretsKeys.length > 0 ? "SECRETS_KEY is set" : `secrets.key in ${dataDir}`)
      : warn(
          "keys.secrets",
          "SECRETS_KEY is not set",
          "Set it on every server: without it no secret of other servers and no authenticator app can be stored.",
        ),
    auditKey !== null || isMade
      ? ok("keys.audit", auditKey === null ? `audit.key in ${dataDir}` : "AUDIT_KEY is set")
      : warn(
          "keys.audit",
          "AUDIT_KEY is not set",
          "Set it on every server: without it the audit log is not signed.",
        ),
  ];
}

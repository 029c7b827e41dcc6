import type { McpServer } from "../../db/generated/client.ts";
import type { SealedBox } from "../secrets/sealed-box.ts";
import { getSealedPlace } from "../secrets/sealed-columns.ts";

type Credential = Pick<
  McpServer,
  "workspaceId" | "id" | "credentialKind" | "credentialHeader" | "sealedCredential"
>;

/** The column of servers' credentials. */
export const CREDENTIAL_COLUMN = { table: "mcp_server", column: "sealed_credential" } as const;

/** The header that carries a server's credential, or none. Returns null if no key opens it. */
export function openCredential(
  server: Credential,
  sealedBox: SealedBox | null,
): Record<string, string> | null {
  const { credentialKind: kind, credentialHeader: header, sealedCredential: sealed } = server;
  if (kind === "none" || sealed === null) return {};
  const secret = sealedBox?.open(sealed, getSealedPlace(CREDENTIAL_COLUMN, server)) ?? null;
  if (secret === null) return null;
  return kind === "header" && header !== null ? { [header]: secret } : { authorization: `Bearer ${secret}` };
}

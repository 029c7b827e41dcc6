import type { McpServer } from "../../db/generated/client.ts";
import type { Place, SealedBox } from "../secrets/sealed-box.ts";

type Credential = Pick<
  McpServer,
  "workspaceId" | "id" | "credentialKind" | "credentialHeader" | "sealedCredential"
>;

/** Where a server's credential is sealed for. */
export function getCredentialPlace({ workspaceId, id }: Pick<McpServer, "workspaceId" | "id">): Place {
  return [workspaceId, "mcp_server", id, "sealed_credential"];
}

/** The header that carries a server's credential, or none. Returns null if no key opens it. */
export function openCredential(
  server: Credential,
  sealedBox: SealedBox | null,
): Record<string, string> | null {
  const { credentialKind: kind, credentialHeader: header, sealedCredential: sealed } = server;
  if (kind === "none" || sealed === null) return {};
  const secret = sealedBox?.open(sealed, getCredentialPlace(server)) ?? null;
  if (secret === null) return null;
  return kind === "header" && header !== null ? { [header]: secret } : { authorization: `Bearer ${secret}` };
}

import type { Table } from "../../db/columns.ts";
import type { ApiKey } from "../../db/generated/client.ts";

/** An API key as admins see it: without its secret, except the last four characters. */
export type ApiKeyView = Omit<ApiKey, "digest" | "workspaceId"> & {
  agentHandle: string;
  agentName: string;
  /** Whether the person who created it is suspended or removed. */
  creatorSuspended: boolean;
};

/** API keys with their agents, as a table for pages. */
export const API_KEY_VIEWS: Table = {
  name: `(
  SELECT k.*, a.handle AS agent_handle, a.name AS agent_name, u.suspended_at IS NOT NULL AS creator_suspended
  FROM api_key k
  JOIN agent a ON a.workspace_id = k.workspace_id AND a.id = k.agent_id
  LEFT JOIN "user" u ON k.created_by ->> 'type' = 'user' AND u.workspace_id = k.workspace_id
    AND u.id = (k.created_by ->> 'id')::uuid
)`,
  fields: [
    ...["id", "agentId", "agentHandle", "agentName", "lineageId", "primary", "name", "publicId", "last4"],
    ...["scopes", "ipAllowlist", "createdBy", "createdAt", "expiresAt", "revokedAt", "revokedReason"],
    ...["rotatedToId", "lastUsedAt", "lastUsedIp", "creatorSuspended"],
  ],
};

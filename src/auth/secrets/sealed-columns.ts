import { type Statement, sql } from "../../db/sql.ts";
import type { Place } from "./sealed-box.ts";

/** A row's sealed secret. */
export type SealedSecret = { workspaceId: string; id: string; sealed: Uint8Array };

/** A column of sealed secrets, of a table whose rows, or groups of rows with one secret, have a workspace and an id. */
export type SealedColumn = {
  table: string;
  column: string;
  list: Statement<SealedSecret>;
  /** Values: workspace, id, the secret as it was sealed before, and as it is sealed now. Returns no row if it was changed meanwhile. */
  replace: Statement<{ id: string }>;
};

/** All of them: what is not listed can't be read once its key is gone. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: "mcp_server",
    column: "sealed_credential",
    list: sql`
SELECT workspace_id AS "workspaceId", id, sealed_credential AS sealed FROM mcp_server
WHERE sealed_credential IS NOT NULL`,
    replace: sql`
UPDATE mcp_server SET sealed_credential = $4::bytea
WHERE workspace_id = $1::uuid AND id = $2::uuid AND sealed_credential = $3::bytea RETURNING id`,
  },
  {
    table: "sign_in_provider",
    column: "sealed_client_secret",
    list: sql`
SELECT workspace_id AS "workspaceId", id, sealed_client_secret AS sealed FROM sign_in_provider
WHERE sealed_client_secret IS NOT NULL`,
    replace: sql`
UPDATE sign_in_provider SET sealed_client_secret = $4::bytea
WHERE workspace_id = $1::uuid AND id = $2::uuid AND sealed_client_secret = $3::bytea RETURNING id`,
  },
  {
    // The rows of a session's family have the same.
    table: "users_tokens",
    column: "sealed_id_token",
    list: sql`
SELECT DISTINCT workspace_id AS "workspaceId", family_id AS id, sealed_id_token AS sealed FROM users_tokens
WHERE sealed_id_token IS NOT NULL`,
    replace: sql`
UPDATE users_tokens SET sealed_id_token = $4::bytea
WHERE workspace_id = $1::uuid AND family_id = $2::uuid AND sealed_id_token = $3::bytea RETURNING id`,
  },
  {
    table: "webhook_endpoint",
    column: "sealed_secret",
    list: sql`SELECT workspace_id AS "workspaceId", id, sealed_secret AS sealed FROM webhook_endpoint`,
    replace: sql`
UPDATE webhook_endpoint SET sealed_secret = $4::bytea
WHERE workspace_id = $1::uuid AND id = $2::uuid AND sealed_secret = $3::bytea RETURNING id`,
  },
  {
    table: "webhook_endpoint",
    column: "sealed_previous_secret",
    list: sql`
SELECT workspace_id AS "workspaceId", id, sealed_previous_secret AS sealed FROM webhook_endpoint
WHERE sealed_previous_secret IS NOT NULL`,
    replace: sql`
UPDATE webhook_endpoint SET sealed_previous_secret = $4::bytea
WHERE workspace_id = $1::uuid AND id = $2::uuid AND sealed_previous_secret = $3::bytea RETURNING id`,
  },
  {
    table: "totp_factor",
    column: "sealed_secret",
    list: sql`SELECT workspace_id AS "workspaceId", id, sealed_secret AS sealed FROM totp_factor`,
    replace: sql`
UPDATE totp_factor SET sealed_secret = $4::bytea
WHERE workspace_id = $1::uuid AND id = $2::uuid AND sealed_secret = $3::bytea RETURNING id`,
  },
];

/** What a secret in this column of this row is sealed for. */
export function getSealedPlace(
  { table, column }: Pick<SealedColumn, "table" | "column">,
  { workspaceId, id }: Pick<SealedSecret, "workspaceId" | "id">,
): Place {
  return [workspaceId, table, id, column];
}

/**
 * Builds how a person's name or address is compared: whatever its case, spaces around it and composed letters. Null if
 * empty.
 */
export function comparedNameSql(value: string): string {
  return `NULLIF(lower(normalize(btrim(${value}, E' \\t\\n\\v\\f\\r\\u00a0'))), '')`;
}

/** Builds the condition that a user is one of those with these ids, or has the id of one at the identity provider. */
export function isSamePersonSql(user: string, ids: string): string {
  return `(${user}.id = ANY(${ids}::uuid[]) OR EXISTS (
  SELECT FROM "user" same WHERE same.workspace_id = ${user}.workspace_id AND same.id = ANY(${ids}::uuid[])
    AND ${comparedNameSql("same.external_id")} = ${comparedNameSql(`${user}.external_id`)}))`;
}

/** Builds the condition that one of these people gave an approval, for the arguments that were approved. */
export function isApprovedBySql(approval: string, ids: string): string {
  return `EXISTS (
  SELECT FROM approval_review r JOIN "user" u ON u.workspace_id = r.workspace_id AND u.id = r.user_id
  WHERE r.workspace_id = ${approval}.workspace_id AND r.approval_id = ${approval}.id AND r.verdict = 'approve'
    AND r.request_hash = COALESCE(${approval}.edited_hash, ${approval}.request_hash) AND ${isSamePersonSql("u", ids)})`;
}

/** SQL condition over a "user" `b`: an owner who can log in with a password. */
export const IS_PASSWORD_OWNER = `b.role = 'owner' AND b.hashed_password IS NOT NULL AND b.confirmed_at IS NOT NULL
  AND b.suspended_at IS NULL AND b.deleted_at IS NULL`;

/**
 * SQL condition over a "user" `u`: whether the person may log in with a password, or set one. Where sign-in by the
 * provider is enforced, only its break-glass owner may; if that one can't, every owner who has a password. A workspace
 * always keeps such an owner: the last one can't be suspended, deleted or demoted.
 */
export const MAY_USE_PASSWORD = `NOT EXISTS (
  SELECT 1 FROM sign_in_provider p
  LEFT JOIN "user" b ON b.workspace_id = p.workspace_id AND b.id = p.break_glass_user_id AND ${IS_PASSWORD_OWNER}
  WHERE p.workspace_id = u.workspace_id AND p.enforced
    AND NOT (u.role = 'owner' AND u.hashed_password IS NOT NULL AND (b.id IS NULL OR b.id = u.id)))`;

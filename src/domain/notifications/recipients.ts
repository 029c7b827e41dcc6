/** The least time between two emails about one topic to one person: what happens meanwhile is in the second. */
export const EMAIL_GAP = "interval '5 minutes'";

/**
 * SQL condition for a "user" `u` who can be told something by email: at an address that the person confirmed, or of a domain
 * that the workspace verified. An identity provider may give its users any address.
 */
export const IS_REACHED = `u.email IS NOT NULL AND u.suspended_at IS NULL AND u.deleted_at IS NULL
  AND (u.confirmed_at IS NOT NULL OR EXISTS (
    SELECT 1 FROM sign_in_domain d WHERE d.workspace_id = u.workspace_id AND d.verified_at IS NOT NULL
      AND d.domain = lower(substring(u.email FROM '[^@]*$'))))`;

/**
 * SQL condition for an email `o` of the outbox that several attempts could not send: the next one of its topic says what it
 * would have said. So there is one email once emails can be sent again.
 */
export const HAS_FAILED = "o.attempts > 1";

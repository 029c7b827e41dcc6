/** Attributes by which spans of the service name what they are of. */
type SubjectAttribute = "aos.command_id" | "aos.decision_id";

/** The most that a list by trace takes. */
const MOST_SUBJECTS = 1000;

/**
 * Builds the SQL condition for rows whose ids spans of the service within a trace name. `$1` is the workspace's id.
 *
 * @param traceId the placeholder of the trace's UUID.
 */
export function namedInTrace(traceId: string, attribute: SubjectAttribute): string {
  return `id = ANY(ARRAY(
    SELECT (s.attributes ->> '${attribute}')::uuid FROM trace t CROSS JOIN LATERAL (
      SELECT p.attributes FROM span p
      WHERE p.workspace_id = t.workspace_id AND p.day = t.day AND p.trace_id = t.id AND p.credential_agent_id IS NULL
        AND p.attributes ->> '${attribute}' IS NOT NULL
      LIMIT ${MOST_SUBJECTS}
    ) s
    WHERE t.workspace_id = $1::uuid AND t.id = ${traceId}::uuid))`;
}

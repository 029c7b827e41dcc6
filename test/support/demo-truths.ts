import { fitsJob } from "../../src/demo/scenarios/build-outcome.ts";
import { JOB_PROFILES } from "../../src/demo/scenarios/job-profiles.ts";

/** Whether a text can be a question, answer or error about a task with this title. */
export function fitsItsJob({
  queue,
  title,
  said,
  kind,
}: Record<"queue" | "title" | "said" | "kind", string>): boolean {
  const profile = JOB_PROFILES.get(queue);
  const jobs =
    profile?.jobs.filter((job) => job.title === "{errand}" || valuesIn(job.title, title) !== null) ?? [];
  return jobs.some((job) => {
    const facts = {
      question: [job.question?.question],
      answer: [job.question?.answer],
      failure: profile?.failures.filter(({ message }) => fitsJob(message, job)).map(({ message }) => message),
    }[kind];
    const given = valuesIn(job.title, title) ?? {};
    return (facts ?? []).some((template) => {
      const values = template === undefined ? null : valuesIn(template, said);
      // Slots that occur in both must have the same value.
      return (
        values !== null && Object.entries(values).every(([slot, value]) => (given[slot] ?? value) === value)
      );
    });
  });
}

/** The values of a template's slots in a text, or null if the text doesn't match. */
function valuesIn(template: string, text: string): Record<string, string> | null {
  const seen = new Set<string>();
  const pattern = template
    .replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\{(\w+)\}/g, (_slot, name: string) => {
      if (seen.has(name)) return String.raw`\k<${name}>`;
      seen.add(name);
      return `(?<${name}>.+?)`;
    });
  const match = new RegExp(`^${pattern}$`).exec(text);
  return match === null ? null : { ...match.groups };
}

const ORDERED = `
  finished_at < started_at OR started_at < created_at OR finished_at < created_at
  OR greatest(created_at, started_at, finished_at, updated_at) > now()`;

/** Statements that find inconsistent rows. */
export const CONTRADICTIONS: Record<string, string> = {
  "a trace that differs from its task": `SELECT r.id FROM trace r
    LEFT JOIN task t ON t.workspace_id = r.workspace_id AND t.id = r.id
    WHERE (r.created_at = t.finished_at AND r.ended_at = t.finished_at AND r.open_count = 0 AND r.root_parent_id IS NULL
      AND r.tool_count > 0 AND r.agent_id = t.claimed_by_agent_id
      AND (r.status = 'error') = (t.status = 'failed')) IS NOT TRUE`,
  "a task out of time": `SELECT id FROM task WHERE finished_at < created_at
    OR greatest(created_at, updated_at, finished_at) > now()`,
  "a terminal task without an end": `SELECT id FROM task
    WHERE (status IN ('completed', 'failed', 'canceled', 'rejected')) <> (finished_at IS NOT NULL)`,
  "a failed task without a reason": "SELECT id FROM task WHERE (status = 'failed') <> (error IS NOT NULL)",
  "a retry of what had not failed": `SELECT t.id FROM task t JOIN task p ON p.id = t.parent_task_id
    WHERE p.status <> 'failed' OR p.finished_at > t.created_at`,
  "a task that began before it was there":
    "SELECT id FROM task WHERE started_at < created_at OR finished_at < started_at",
  "a history that does not begin with a creation": `SELECT subject_id FROM event
    WHERE subject_type IN ('task', 'mission', 'agent_command', 'message', 'eval_run')
    GROUP BY subject_id HAVING (array_agg(type ORDER BY seq))[1] NOT LIKE '%.created'`,
  "a history without its row": `SELECT subject_id FROM event WHERE subject_type = 'task'
    AND subject_id NOT IN (SELECT id FROM task)`,
  "a young task without its history": `SELECT t.id FROM task t JOIN workspace w ON w.id = t.workspace_id
    WHERE t.created_at > w.created_at - interval '7 days' AND NOT EXISTS
      (SELECT 1 FROM event e WHERE e.subject_id = t.id AND e.type = 'task.created' AND e.occurred_at = t.created_at
       AND e.actor = t.created_by)`,
  "a history out of time": `SELECT seq FROM (SELECT seq, occurred_at, lag(occurred_at) OVER (ORDER BY seq) AS before FROM event
      WHERE subject_type IN ('task', 'mission', 'agent_command', 'message', 'eval_run')) e WHERE occurred_at < before`,
  "a history that ends otherwise than its task": `SELECT t.id FROM task t JOIN LATERAL
      (SELECT data, occurred_at FROM event e WHERE e.subject_id = t.id AND e.subject_type = 'task' ORDER BY seq DESC LIMIT 1) last ON true
    WHERE last.data->>'status' <> t.status::text OR (last.data->>'generation')::int <> t.generation
      OR last.occurred_at <> t.updated_at OR t.attempt <> (SELECT count(*) FROM event e WHERE e.subject_id = t.id
        AND e.data->>'status' = 'working' AND e.actor->>'id' = t.claimed_by_agent_id::text AND NOT EXISTS
          (SELECT 1 FROM event b WHERE b.subject_id = t.id AND b.seq < e.seq AND b.data->>'attempt' = e.data->>'attempt'
           AND b.data->>'status' = 'working'))`,
  "a history by somebody who is not there": `SELECT seq FROM event WHERE actor->>'type' IN ('agent', 'user')
    AND (actor->>'id')::uuid NOT IN (SELECT id FROM agent UNION SELECT id FROM "user")`,
  "a mission whose history ends otherwise": `SELECT m.id FROM mission m JOIN LATERAL
      (SELECT data FROM event e WHERE e.subject_id = m.id AND e.subject_type = 'mission' ORDER BY seq DESC LIMIT 1) last ON true
    WHERE last.data->>'status' <> m.status::text OR (last.data->>'generation')::int <> m.generation`,
  "a command whose history ends otherwise": `SELECT c.id FROM agent_command c JOIN LATERAL
      (SELECT data FROM event e WHERE e.subject_id = c.id AND e.subject_type = 'agent_command' ORDER BY seq DESC LIMIT 1) last ON true
    WHERE last.data->>'status' <> c.status::text OR (last.data->>'generation')::int <> c.generation`,
  "a mission out of time": `SELECT id FROM mission WHERE ${ORDERED}`,
  "a step outside its mission": `SELECT s.key FROM mission_step s JOIN mission m ON m.id = s.mission_id
    WHERE s.started_at < m.started_at OR s.finished_at < s.started_at OR s.finished_at > m.finished_at`,
  "a command out of time": `SELECT id FROM agent_command WHERE ${ORDERED}
    OR delivered_at < created_at OR acknowledged_at < delivered_at OR started_at < acknowledged_at`,
  "a run out of time": `SELECT id FROM eval_run WHERE ${ORDERED}`,
  "a run whose counts are not its results": `SELECT id FROM eval_run r WHERE (result_counts->>'passed')::int <>
    (SELECT count(*) FROM eval_result x WHERE x.eval_run_id = r.id AND x.status = 'passed')`,
  "a message out of its task's context": `SELECT m.id FROM message m JOIN task t ON t.id = m.task_id
    WHERE m.context_id <> t.context_id OR m.created_at < t.created_at`,
  "an answer to nothing": `SELECT q.id FROM message q LEFT JOIN message a ON a.id = q.answered_by_id
    WHERE q.answered_by_id IS NOT NULL AND a.reply_to_id IS DISTINCT FROM q.id`,
  "a busy robot without its mission": `SELECT r.id FROM robot r LEFT JOIN mission m ON m.id = r.current_mission_id
    WHERE (r.status = 'executing') <> (m.status IS NOT DISTINCT FROM 'running')`,
  "an id of another time": `SELECT id FROM task WHERE ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint
    <> round(extract(epoch FROM created_at) * 1000)`,
};

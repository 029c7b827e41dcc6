-- DropIndex
DROP INDEX "task_workspace_id_claimed_by_agent_id_idx";

-- AlterTable
ALTER TABLE "task" ADD COLUMN     "started_at" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "agent_command_workspace_id_type_created_at_id_idx" ON "agent_command"("workspace_id", "type", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "event_workspace_id_subject_id_seq_idx" ON "event"("workspace_id", "subject_id", "seq" DESC);

-- CreateIndex
CREATE INDEX "task_workspace_id_claimed_by_agent_id_created_at_id_idx" ON "task"("workspace_id", "claimed_by_agent_id", "created_at" DESC, "id" DESC);

-- By hand from here: what Prisma's schema language can't say.

-- The first claim's own event tells when, as long as events are kept.
UPDATE "task" t SET "started_at" = e."at" FROM (
  SELECT "workspace_id", "subject_id", min("occurred_at") AS "at" FROM "event"
  WHERE "type" = 'task.updated' AND "data" ->> 'status' = 'working' AND "data" ->> 'attempt' = '1'
  GROUP BY "workspace_id", "subject_id"
) e WHERE e."workspace_id" = t."workspace_id" AND e."subject_id" = t."id";

-- What the overview and the charts read, without touching a row: nothing of it changes after the end.
CREATE INDEX "task_finished_idx" ON "task" ("workspace_id", "finished_at")
  INCLUDE ("status", "queue", "claimed_by_agent_id", "started_at") WHERE "finished_at" IS NOT NULL;
CREATE INDEX "task_started_idx" ON "task" ("workspace_id", "started_at")
  INCLUDE ("queue", "run_after", "created_at") WHERE "started_at" IS NOT NULL;
CREATE INDEX "agent_command_finished_idx" ON "agent_command" ("workspace_id", "finished_at")
  INCLUDE ("status", "type") WHERE "finished_at" IS NOT NULL;
CREATE INDEX "eval_run_finished_idx" ON "eval_run" ("workspace_id", "finished_at") WHERE "finished_at" IS NOT NULL;
CREATE INDEX "task_lease_expired_idx" ON "task" ("workspace_id", "finished_at")
  WHERE "status" = 'failed' AND "error" ->> 'code' = 'lease_expired';
CREATE INDEX "event_lease_expired_idx" ON "event" ("workspace_id", "occurred_at") WHERE "type" = 'task.lease_expired';

-- How much waits in each queue, and since when.
CREATE INDEX "task_waiting_idx" ON "task" ("workspace_id", "queue", "created_at") WHERE "status" = 'submitted';

-- Tasks by the words of their titles and by their labels. The workspace is one of the words, so that a search
-- reads no other's.
CREATE INDEX "task_words_idx" ON "task" USING gin (
  (to_tsvector('simple'::regconfig, translate("title", '-_./\:@#+,;&*()[]{}<>=!?"''', repeat(' ', 26)))
    || array_to_tsvector(ARRAY["workspace_id"::text])),
  "labels" jsonb_path_ops);

-- Questions that nobody has answered.
CREATE INDEX "message_unanswered_idx" ON "message" ("workspace_id", "created_at" DESC, "id" DESC)
  INCLUDE ("task_id") WHERE "kind" = 'question' AND "answered_by_id" IS NULL;
CREATE INDEX "message_unanswered_context_idx" ON "message" ("workspace_id", "context_id")
  WHERE "kind" = 'question' AND "answered_by_id" IS NULL;

-- Messages by who sent them.
CREATE INDEX "message_sender_idx" ON "message" ("workspace_id", ("sender" ->> 'id'), "created_at" DESC, "id" DESC);

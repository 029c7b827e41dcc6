-- AlterTable
ALTER TABLE "message" ADD COLUMN     "waiting" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "conversation" (
    "workspace_id" UUID NOT NULL,
    "context_id" UUID NOT NULL,
    "last_message_id" UUID NOT NULL,
    "last_message_at" TIMESTAMPTZ(3) NOT NULL,
    "message_count" INTEGER NOT NULL,
    "waiting" BOOLEAN NOT NULL,

    CONSTRAINT "conversation_pkey" PRIMARY KEY ("workspace_id","context_id")
);

-- CreateIndex
CREATE INDEX "conversation_workspace_id_last_message_at_last_message_id_idx" ON "conversation"("workspace_id", "last_message_at" DESC, "last_message_id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "conversation_workspace_id_last_message_id_key" ON "conversation"("workspace_id", "last_message_id");

-- AddForeignKey
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- By hand from here: what Prisma's schema language can't say.

UPDATE "message" m SET "waiting" = true
WHERE m."kind" = 'question' AND m."answered_by_id" IS NULL AND (m."task_id" IS NULL OR EXISTS (
  SELECT FROM "task" t WHERE t."workspace_id" = m."workspace_id" AND t."question_id" = m."id" AND t."status" = 'input_required'));

INSERT INTO "conversation" ("workspace_id", "context_id", "last_message_id", "last_message_at", "message_count", "waiting")
SELECT m."workspace_id", m."context_id", l."id", l."created_at", m."count", m."waiting"
FROM (
  SELECT "workspace_id", "context_id", count(*) AS "count", bool_or("waiting") AS "waiting"
  FROM "message" GROUP BY "workspace_id", "context_id"
) m CROSS JOIN LATERAL (
  SELECT "id", "created_at" FROM "message" n
  WHERE n."workspace_id" = m."workspace_id" AND n."context_id" = m."context_id"
  ORDER BY "created_at" DESC, "id" DESC LIMIT 1
) l;

INSERT INTO "collection_total" ("workspace_id", "collection", "facet", "total", "version")
SELECT m."workspace_id", 'messages', 'waiting', count(*), COALESCE((
  SELECT k."version" FROM "collection_total" k
  WHERE k."workspace_id" = m."workspace_id" AND k."collection" = 'messages' AND k."facet" = 'all'), 0)
FROM "message" m WHERE m."waiting" GROUP BY m."workspace_id";

-- What waits: the conversations, whether one does, and since when.
CREATE INDEX "conversation_waiting_idx" ON "conversation" ("workspace_id", "last_message_at" DESC, "last_message_id" DESC)
  WHERE "waiting";
CREATE INDEX "message_waiting_context_idx" ON "message" ("workspace_id", "context_id") WHERE "waiting";
CREATE INDEX "message_waiting_idx" ON "message" ("workspace_id", "created_at", "id") WHERE "waiting";
DROP INDEX "message_unanswered_context_idx";

-- A message and its conversation's last one change in one transaction.
ALTER TABLE "conversation" ADD CONSTRAINT "conversation_workspace_id_last_message_id_fkey" FOREIGN KEY ("workspace_id", "last_message_id")
  REFERENCES "message"("workspace_id", "id") DEFERRABLE INITIALLY DEFERRED;

-- DropIndex
DROP INDEX "message_workspace_id_recipient_agent_id_idx";

-- DropIndex
DROP INDEX "message_workspace_id_task_id_idx";

-- DropIndex
DROP INDEX "task_workspace_id_assignee_agent_id_idx";

-- AlterTable
ALTER TABLE "collection_total" ADD COLUMN     "ticks" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "task" ADD COLUMN     "lease_seconds" INTEGER,
ADD COLUMN     "settled_digest" BYTEA;

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "emergency_stop_reason" TEXT;

-- CreateIndex
CREATE INDEX "message_workspace_id_task_id_created_at_id_idx" ON "message"("workspace_id", "task_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "message_workspace_id_kind_created_at_id_idx" ON "message"("workspace_id", "kind", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "message_workspace_id_recipient_agent_id_created_at_id_idx" ON "message"("workspace_id", "recipient_agent_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "task_workspace_id_queue_created_at_id_idx" ON "task"("workspace_id", "queue", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "task_workspace_id_context_id_created_at_id_idx" ON "task"("workspace_id", "context_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "task_workspace_id_assignee_agent_id_created_at_id_idx" ON "task"("workspace_id", "assignee_agent_id", "created_at" DESC, "id" DESC);

-- By hand from here: what Prisma's schema language can't say.

ALTER TABLE "task" ADD CONSTRAINT "task_settled_digest_check" CHECK (octet_length("settled_digest") = 32);

-- A claim takes the head of one of these, whatever the number of tasks that wait or that have ended.
CREATE INDEX "task_open_claim_idx" ON "task" ("workspace_id", "queue", "priority", COALESCE("run_after", "created_at"), "id")
  WHERE "status" = 'submitted' AND "assignee_agent_id" IS NULL;
CREATE INDEX "task_assigned_claim_idx" ON "task" ("workspace_id", "assignee_agent_id", "queue", "priority", COALESCE("run_after", "created_at"), "id")
  WHERE "status" = 'submitted' AND "assignee_agent_id" IS NOT NULL;

-- What is held now, for its deadlines and for its holder. A heartbeat changes no column of it.
CREATE INDEX "task_held_idx" ON "task" ("workspace_id", "claimed_by_agent_id") WHERE "status" IN ('working', 'input_required');
CREATE INDEX "task_deadline_idx" ON "task" ("deadline_at") WHERE "deadline_at" IS NOT NULL AND "status" IN ('submitted', 'working', 'input_required');

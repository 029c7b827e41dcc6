-- DropIndex
DROP INDEX "audit_event_workspace_id_action_seq_idx";

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
CREATE INDEX "audit_event_workspace_id_action_seq_idx" ON "audit_event"("workspace_id", "action" text_pattern_ops, "seq" DESC);

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

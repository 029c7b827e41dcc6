-- DropIndex
DROP INDEX "deferred_append_created_at_id_idx";

-- CreateIndex
CREATE INDEX "deferred_append_workspace_id_created_at_id_idx" ON "deferred_append"("workspace_id", "created_at", "id");

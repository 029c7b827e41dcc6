-- Lists of tasks in the order of their last change. A heartbeat is none, so that it still writes no index.

-- CreateIndex
CREATE INDEX "task_workspace_id_updated_at_id_idx" ON "task"("workspace_id", "updated_at" DESC, "id" DESC);

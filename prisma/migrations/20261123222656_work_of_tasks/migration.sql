-- What the gateway decided and people were asked about a task. Most is about none.
CREATE INDEX "decision_task_idx" ON "decision" ("workspace_id", "task_id", "created_at" DESC, "id" DESC)
  WHERE "task_id" IS NOT NULL;
CREATE INDEX "approval_task_idx" ON "approval" ("workspace_id", "task_id", "created_at" DESC, "id" DESC)
  WHERE "task_id" IS NOT NULL;

-- Failed tasks by when they failed, for the chart of their causes.
CREATE INDEX "task_failed_idx" ON "task" ("workspace_id", "finished_at") WHERE "status" = 'failed';

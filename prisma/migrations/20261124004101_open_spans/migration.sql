CREATE INDEX "span_open_idx" ON "span" ("workspace_id", "day", "trace_id") WHERE "ended_at" IS NULL;

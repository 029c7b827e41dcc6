-- AlterTable
ALTER TABLE "trace" ADD COLUMN     "eval_item_key" TEXT,
ADD COLUMN     "eval_run_id" UUID;

-- The traces of an item, and the results of a trace.
CREATE INDEX "trace_eval_item_idx" ON "trace" ("workspace_id", "eval_run_id", "eval_item_key", "created_at" DESC)
  WHERE "eval_run_id" IS NOT NULL;
CREATE INDEX "eval_result_trace_idx" ON "eval_result" ("workspace_id", "trace_id") WHERE "trace_id" IS NOT NULL;

-- The service's own spans of a trace name its commands and decisions.
CREATE INDEX "span_service_idx" ON "span" ("workspace_id", "day", "trace_id") WHERE "credential_agent_id" IS NULL;

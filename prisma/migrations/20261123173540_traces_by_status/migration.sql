-- Traces with a status, however many have another one.
CREATE INDEX "trace_workspace_id_status_created_at_id_idx" ON "trace"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- By hand: what Prisma's schema language can't say.
DROP INDEX "trace_error_idx";

CREATE INDEX "trace_work_status_idx" ON "trace" ("workspace_id", "status", "created_at" DESC, "id" DESC) WHERE NOT "plumbing";

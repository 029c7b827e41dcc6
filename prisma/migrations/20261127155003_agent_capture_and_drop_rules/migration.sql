-- AlterTable
ALTER TABLE "agent" ADD COLUMN     "capture_content" "capture_content";

-- CreateTable
CREATE TABLE "span_drop_rule" (
    "workspace_id" UUID NOT NULL,
    "scope" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "dropped" BIGINT NOT NULL DEFAULT 0,
    "last_dropped_at" TIMESTAMPTZ(3),

    CONSTRAINT "span_drop_rule_pkey" PRIMARY KEY ("workspace_id","scope","name")
);

-- AddForeignKey
ALTER TABLE "span_drop_rule" ADD CONSTRAINT "span_drop_rule_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Telemetry reads them with each request.
CREATE INDEX "agent_capture_idx" ON "agent" ("workspace_id") WHERE "capture_content" IS NOT NULL;

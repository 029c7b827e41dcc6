-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "approval_retention_days" INTEGER NOT NULL DEFAULT 365,
ADD COLUMN     "decision_retention_days" INTEGER NOT NULL DEFAULT 30;

-- CreateIndex
CREATE INDEX "approval_workspace_id_decided_at_id_idx" ON "approval"("workspace_id", "decided_at", "id");

-- CreateIndex
CREATE INDEX "execution_workspace_id_ended_at_id_idx" ON "execution"("workspace_id", "ended_at", "id");

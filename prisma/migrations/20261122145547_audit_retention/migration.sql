-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "audit_retention_days" INTEGER;

-- CreateIndex
CREATE INDEX "audit_checkpoint_workspace_id_created_at_idx" ON "audit_checkpoint"("workspace_id", "created_at" DESC);

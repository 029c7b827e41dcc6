-- AlterTable
ALTER TABLE "agent" ADD COLUMN     "deleted_at" TIMESTAMPTZ(3),
ADD COLUMN     "external_id" TEXT;

-- CreateIndex
CREATE INDEX "agent_workspace_id_external_id_idx" ON "agent"("workspace_id", "external_id");

-- AlterEnum
ALTER TYPE "decision_reason" ADD VALUE 'approval_unverifiable';

-- AlterTable
ALTER TABLE "execution" ADD COLUMN     "is_reported" BOOLEAN NOT NULL DEFAULT true;

-- CreateIndex
CREATE INDEX "reservation_workspace_id_decision_id_idx" ON "reservation"("workspace_id", "decision_id");

-- AlterEnum
ALTER TYPE "decision_reason" ADD VALUE 'approval_denied';

-- CreateIndex
CREATE INDEX "approval_workspace_id_agent_id_created_at_id_idx" ON "approval"("workspace_id", "agent_id", "created_at" DESC, "id" DESC);

-- By hand from here: what Prisma's schema language can't say.

-- Large fields are not compressed, so that their size can be read.
ALTER TABLE "approval" ALTER COLUMN "request" SET STORAGE EXTERNAL,
  ALTER COLUMN "edited_arguments" SET STORAGE EXTERNAL;

-- The last approved call of a tool.
CREATE INDEX "approval_approved_idx" ON "approval"
  ("workspace_id", "resource_type", "resource_id", "action", "created_at" DESC) WHERE "status" = 'approved';

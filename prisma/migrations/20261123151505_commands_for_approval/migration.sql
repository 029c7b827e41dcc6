-- AlterEnum
ALTER TYPE "agent_command_status" ADD VALUE 'awaiting_approval' BEFORE 'queued';

-- AlterTable
ALTER TABLE "agent_command" ADD COLUMN     "approval_id" UUID,
ADD COLUMN     "decision_id" UUID;

-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "command_id" UUID,
ALTER COLUMN "agent_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "decision" ALTER COLUMN "agent_id" DROP NOT NULL;

-- By hand from here: what Prisma's schema language can't say.

-- Each command has a question of its own, also where two are the same.
DROP INDEX "approval_pending_idx";
CREATE UNIQUE INDEX "approval_pending_idx" ON "approval" ("workspace_id", "agent_id", "request_hash")
  WHERE "status" = 'pending' AND "command_id" IS NULL;

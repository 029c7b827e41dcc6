-- AlterEnum
ALTER TYPE "mission_status" ADD VALUE 'awaiting_approval' BEFORE 'pending';

-- AlterTable
ALTER TABLE "mission" ADD COLUMN     "allowed_robot_ids" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "approval_id" UUID,
ADD COLUMN     "decision_id" UUID;

-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "mission_id" UUID;

-- By hand from here: what Prisma's schema language can't say.

-- Each mission has a question of its own, as each command.
DROP INDEX "approval_pending_idx";
CREATE UNIQUE INDEX "approval_pending_idx" ON "approval" ("workspace_id", "agent_id", "request_hash", "lineage_id")
  WHERE "status" = 'pending' AND "command_id" IS NULL AND "mission_id" IS NULL;

-- AlterEnum
ALTER TYPE "task_status" ADD VALUE 'auth_required' BEFORE 'completed';

-- AlterTable
ALTER TABLE "task" ADD COLUMN     "approval_id" UUID,
ADD COLUMN     "decision_id" UUID;

-- AlterTable
ALTER TABLE "mission_step" ADD COLUMN     "before_steering" JSONB;

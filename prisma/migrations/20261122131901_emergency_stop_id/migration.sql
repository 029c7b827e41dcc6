-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "emergency_stop_id" UUID;

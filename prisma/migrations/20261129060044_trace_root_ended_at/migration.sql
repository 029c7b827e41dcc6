-- AlterTable
ALTER TABLE "trace" ADD COLUMN     "root_ended_at" TIMESTAMPTZ(6);

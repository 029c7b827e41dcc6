-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "deletion_asked_at" TIMESTAMPTZ(3),
ADD COLUMN     "deletion_at" TIMESTAMPTZ(3);

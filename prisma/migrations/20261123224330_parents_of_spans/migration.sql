-- AlterTable
ALTER TABLE "approval" ADD COLUMN     "parent_span_id" TEXT;

-- AlterTable
ALTER TABLE "execution" ADD COLUMN     "parent_span_id" TEXT;

-- AlterTable
ALTER TABLE "message" ADD COLUMN     "parent_span_id" TEXT;

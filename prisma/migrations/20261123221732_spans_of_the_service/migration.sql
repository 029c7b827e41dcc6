-- AlterEnum
ALTER TYPE "span_op" ADD VALUE 'human';

-- AlterTable
ALTER TABLE "span" ALTER COLUMN "credential_agent_id" DROP NOT NULL;

-- AlterTable
ALTER TABLE "task" ADD COLUMN     "claimed_at" TIMESTAMPTZ(3),
ADD COLUMN     "parent_span_id" TEXT;

-- CreateTable
CREATE TABLE "queued_span" (
    "workspace_id" UUID NOT NULL,
    "id" UUID NOT NULL,
    "span" JSONB NOT NULL,

    CONSTRAINT "queued_span_pkey" PRIMARY KEY ("workspace_id","id")
);

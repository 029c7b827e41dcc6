-- AlterTable
ALTER TABLE "decision" ADD COLUMN     "considered_count" INTEGER,
ADD COLUMN     "entities" JSONB,
ADD COLUMN     "gate_generation" INTEGER,
ADD COLUMN     "policy_count" INTEGER;

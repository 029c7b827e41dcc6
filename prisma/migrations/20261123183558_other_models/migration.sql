-- AlterTable
ALTER TABLE "usage_call" ADD COLUMN     "is_other_model" BOOLEAN NOT NULL DEFAULT false;

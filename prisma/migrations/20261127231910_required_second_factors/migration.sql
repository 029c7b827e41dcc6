-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "require_mfa" BOOLEAN NOT NULL DEFAULT false;

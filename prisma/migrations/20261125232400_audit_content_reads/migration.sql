-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "audit_content_reads" BOOLEAN NOT NULL DEFAULT false;

ALTER TABLE "decision" ADD COLUMN "budget" JSONB;

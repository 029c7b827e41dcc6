-- By hand: what Prisma's schema language can't say.

-- Stored uncompressed, so that pages end where their rows become too many bytes. Rows keep their form until they are
-- written again.
ALTER TABLE "agent" ALTER COLUMN "capabilities" SET STORAGE EXTERNAL;
ALTER TABLE "eval_run" ALTER COLUMN "score_summaries" SET STORAGE EXTERNAL, ALTER COLUMN "gate" SET STORAGE EXTERNAL,
  ALTER COLUMN "error" SET STORAGE EXTERNAL,
  ALTER COLUMN "metadata" SET STORAGE EXTERNAL;
ALTER TABLE "mission" ALTER COLUMN "selector" SET STORAGE EXTERNAL, ALTER COLUMN "error" SET STORAGE EXTERNAL;
ALTER TABLE "mission_step" ALTER COLUMN "params" SET STORAGE EXTERNAL, ALTER COLUMN "result" SET STORAGE EXTERNAL,
  ALTER COLUMN "error" SET STORAGE EXTERNAL;
ALTER TABLE "user" ALTER COLUMN "profile" SET STORAGE EXTERNAL;

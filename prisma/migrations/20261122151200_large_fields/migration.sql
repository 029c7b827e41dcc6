-- By hand: what Prisma's schema language can't say.

-- Stored as they are instead of compressed, so that PostgreSQL tells their size without reading them: a page ends
-- where its rows become too many bytes. What is there already keeps its form until it is written again.
ALTER TABLE "task" ALTER COLUMN "input" SET STORAGE EXTERNAL, ALTER COLUMN "output" SET STORAGE EXTERNAL,
  ALTER COLUMN "artifacts" SET STORAGE EXTERNAL, ALTER COLUMN "metadata" SET STORAGE EXTERNAL,
  ALTER COLUMN "error" SET STORAGE EXTERNAL;
ALTER TABLE "message" ALTER COLUMN "parts" SET STORAGE EXTERNAL, ALTER COLUMN "metadata" SET STORAGE EXTERNAL;
ALTER TABLE "agent_command" ALTER COLUMN "params" SET STORAGE EXTERNAL, ALTER COLUMN "result" SET STORAGE EXTERNAL,
  ALTER COLUMN "error" SET STORAGE EXTERNAL;
ALTER TABLE "eval_result" ALTER COLUMN "input" SET STORAGE EXTERNAL, ALTER COLUMN "expected" SET STORAGE EXTERNAL,
  ALTER COLUMN "output" SET STORAGE EXTERNAL;

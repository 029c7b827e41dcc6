-- Stored uncompressed, so that a page of them can be cut and charged by its size.
ALTER TABLE "decision" ALTER COLUMN "request" SET STORAGE EXTERNAL, ALTER COLUMN "matched" SET STORAGE EXTERNAL;
ALTER TABLE "policy" ALTER COLUMN "subjects" SET STORAGE EXTERNAL, ALTER COLUMN "actions" SET STORAGE EXTERNAL,
  ALTER COLUMN "resources" SET STORAGE EXTERNAL, ALTER COLUMN "when" SET STORAGE EXTERNAL;

-- By hand: uncompressed, so that lists can read the size of large fields.
ALTER TABLE "execution" ALTER COLUMN "result" SET STORAGE EXTERNAL, ALTER COLUMN "error" SET STORAGE EXTERNAL;

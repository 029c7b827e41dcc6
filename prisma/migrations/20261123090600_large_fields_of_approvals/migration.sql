-- By hand: uncompressed, so that lists can read the size of large fields.
ALTER TABLE "approval" ALTER COLUMN "asked_by" SET STORAGE EXTERNAL;

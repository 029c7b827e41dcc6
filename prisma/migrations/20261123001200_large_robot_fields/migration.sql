-- By hand: what Prisma's schema language can't say.

-- Stored uncompressed, so that a page of robots ends where its rows become too many bytes.
ALTER TABLE "robot" ALTER COLUMN "errors" SET STORAGE EXTERNAL, ALTER COLUMN "loads" SET STORAGE EXTERNAL;

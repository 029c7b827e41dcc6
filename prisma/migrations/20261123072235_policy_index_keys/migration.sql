-- AlterTable
ALTER TABLE "policy" ADD COLUMN     "index_keys" INTEGER NOT NULL DEFAULT 0;

-- At most what it is found by. The next save of a policy counts exactly.
UPDATE "policy" SET "index_keys" = GREATEST(
  cardinality("actions"),
  CASE jsonb_typeof("subjects") WHEN 'array' THEN jsonb_array_length("subjects") ELSE 0 END,
  CASE jsonb_typeof("resources") WHEN 'array' THEN jsonb_array_length("resources") ELSE 0 END
);

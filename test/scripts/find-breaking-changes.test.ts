import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findBreakingChanges } from "../../scripts/find-breaking-changes.ts";
import { prismaFolder } from "../../src/db/schema-engine.ts";

/** The last migration before the rule. */
const BEFORE = "20261129060044_trace_root_ended_at";

describe("findBreakingChanges", () => {
  it.each([
    'DROP TABLE "task";',
    'ALTER TABLE "task" DROP COLUMN "title";',
    'ALTER TABLE "task" RENAME COLUMN "title" TO "name";',
    'ALTER TABLE "task" ADD COLUMN "cost" INTEGER NOT NULL;',
    'ALTER TABLE "task" ADD COLUMN "note" TEXT DEFAULT \'\',\nADD COLUMN "cost" INTEGER NOT NULL;',
    'ALTER TABLE "task" ALTER COLUMN "title" SET NOT NULL;',
    'ALTER TABLE "task" ALTER COLUMN "title" SET DATA TYPE INTEGER;',
    'ALTER TABLE "task" ADD CONSTRAINT "task_cost_check" CHECK (cost > 0);',
    'CREATE UNIQUE INDEX "task_title_key" ON "task" ("title");',
    "ALTER TYPE \"task_status\" ADD VALUE 'held';",
    'CREATE TABLE "other" (id INT);\nDROP TABLE "task";',
    '-- Nobody uses it.\nDROP TABLE "task";',
  ])("finds %j", (sql) => expect(findBreakingChanges(sql)).toHaveLength(1));

  it.each([
    'ALTER TABLE "task" ADD COLUMN "cost" INTEGER;',
    'ALTER TABLE "task" ADD COLUMN "cost" INTEGER NOT NULL DEFAULT 0;',
    'ALTER TABLE "task" ADD COLUMN "cost" INTEGER DEFAULT 0 NOT NULL;',
    'CREATE INDEX "task_cost_idx" ON "task" ("cost");',
    'CREATE TABLE "other" ("id" INT NOT NULL);\nCREATE UNIQUE INDEX "other_id_key" ON "other" ("id");',
    'CREATE TABLE "other" ("id" INT);\nALTER TABLE "other" ADD CONSTRAINT "other_check" CHECK (id > 0);',
    '-- contract: since 0.2 nobody reads it\nALTER TABLE "task" DROP COLUMN "cost";',
  ])("finds nothing in %j", (sql) => expect(findBreakingChanges(sql)).toEqual([]));
});

describe("the migrations", () => {
  const folder = path.join(prismaFolder(), "migrations");
  const names = readdirSync(folder).filter((name) => /^\d/.test(name));

  it("let servers of the version before serve on", () => {
    expect(names).toContain(BEFORE);
    for (const name of names.filter((one) => one > BEFORE)) {
      const sql = readFileSync(path.join(folder, name, "migration.sql"), "utf8");
      expect(findBreakingChanges(sql), name).toEqual([]);
    }
  });
});

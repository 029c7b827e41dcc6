-- Each word begins with its workspace, so that the start of a word is looked up among those of one workspace: the entries
-- of all workspaces' words would be read otherwise.
DROP INDEX "task_words_idx";
CREATE INDEX "task_words_idx" ON "task" USING gin (
  (to_tsvector('simple'::regconfig, regexp_replace(
      translate("title", '-_./\:@#+,;&*()[]{}<>=!?"''', repeat(' ', 26)),
      '([[:alnum:]]+)', 'w' || replace("workspace_id"::text, '-', '') || '\1', 'g'))
    || array_to_tsvector(ARRAY['@' || "workspace_id"::text])),
  "labels" jsonb_path_ops);

DROP INDEX "mission_words_idx";
CREATE INDEX "mission_words_idx" ON "mission" USING gin (
  (to_tsvector('simple'::regconfig, regexp_replace(
      translate("title", '-_./\:@#+,;&*()[]{}<>=!?"''', repeat(' ', 26)),
      '([[:alnum:]]+)', 'w' || replace("workspace_id"::text, '-', '') || '\1', 'g'))
    || array_to_tsvector(ARRAY['@' || "workspace_id"::text])));

DROP INDEX "eval_run_words_idx";
CREATE INDEX "eval_run_words_idx" ON "eval_run" USING gin (
  (to_tsvector('simple'::regconfig, regexp_replace(
      translate("name" || ' ' || "suite", '-_./\:@#+,;&*()[]{}<>=!?"''', repeat(' ', 26)),
      '([[:alnum:]]+)', 'w' || replace("workspace_id"::text, '-', '') || '\1', 'g'))
    || array_to_tsvector(ARRAY['@' || "workspace_id"::text])));

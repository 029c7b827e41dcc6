-- Tasks, missions and evaluation runs are found by the starts of words. Each row's workspace is one of its words, with
-- a sign that is part of no other.
DROP INDEX "task_words_idx";
CREATE INDEX "task_words_idx" ON "task" USING gin (
  (to_tsvector('simple'::regconfig, translate("title", '-_./\:@#+,;&*()[]{}<>=!?"''', repeat(' ', 26)))
    || array_to_tsvector(ARRAY['@' || "workspace_id"::text])),
  "labels" jsonb_path_ops);

CREATE INDEX "mission_words_idx" ON "mission" USING gin (
  (to_tsvector('simple'::regconfig, translate("title", '-_./\:@#+,;&*()[]{}<>=!?"''', repeat(' ', 26)))
    || array_to_tsvector(ARRAY['@' || "workspace_id"::text])));

CREATE INDEX "eval_run_words_idx" ON "eval_run" USING gin (
  (to_tsvector('simple'::regconfig,
      translate("name" || ' ' || "suite", '-_./\:@#+,;&*()[]{}<>=!?"''', repeat(' ', 26)))
    || array_to_tsvector(ARRAY['@' || "workspace_id"::text])));

-- Whom the subject of a question names, compared as comparedNameSql() compares names.
CREATE INDEX "user_workspace_id_compared_email_idx" ON "user" ("workspace_id", (NULLIF(lower(normalize(btrim("email", E' \t\n\v\f\r\u00a0'))), '')));
CREATE INDEX "user_workspace_id_compared_user_name_idx" ON "user" ("workspace_id", (NULLIF(lower(normalize(btrim("user_name", E' \t\n\v\f\r\u00a0'))), '')));
CREATE INDEX "user_workspace_id_compared_external_id_idx" ON "user" ("workspace_id", (NULLIF(lower(normalize(btrim("external_id", E' \t\n\v\f\r\u00a0'))), '')));
CREATE INDEX "user_email_workspace_id_compared_value_idx" ON "user_email" ("workspace_id", (NULLIF(lower(normalize(btrim("value", E' \t\n\v\f\r\u00a0'))), '')));

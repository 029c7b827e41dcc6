import { sql } from "../../db/sql.ts";
import type { EntityName } from "../gateway-checks/entity-name.ts";
import type { Transaction } from "../kernel/context.ts";
import { uuid } from "../kernel/input.ts";
import { comparedNameSql } from "./same-person-sql.ts";

/** Finds the people whom the subject of a question names: by id or email address, a `user` also by SCIM's names. */
export async function findNamedPeople(
  { run, ctx }: Pick<Transaction, "run" | "ctx">,
  subject: EntityName | null,
): Promise<string[]> {
  if (subject === null) return [];
  const { type, id } = subject;
  const name = id.trim().replace(/^mailto:/i, "");
  const values = [ctx.workspaceId, uuid.safeParse(id.trim()).data ?? null, name, type === "user"];
  return (await run(NAMED, values)).map(({ userId }) => userId);
}

const NAME = comparedNameSql("$3");

const NAMED = sql<{ userId: string }>`
SELECT id AS "userId" FROM "user" WHERE workspace_id = $1::uuid AND (id = $2::uuid OR ${comparedNameSql("email")} = ${NAME}
  OR $4::boolean AND ${NAME} IN (${comparedNameSql("user_name")}, ${comparedNameSql("external_id")}))
UNION
SELECT user_id FROM user_email WHERE workspace_id = $1::uuid AND ${comparedNameSql("value")} = ${NAME}`;

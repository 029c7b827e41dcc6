import { z } from "zod";
import type { Ctx } from "../kernel/context.ts";
import { requireRole } from "../kernel/guard.ts";
import { parseInput, text } from "../kernel/input.ts";
import { LIMITS } from "../kernel/limits.ts";
import { type ListFilter, type ListPage, type PageArgs, readPage } from "../kernel/page.ts";
import { ROLES } from "../kernel/scopes.ts";
import { USER_STATUSES, USER_VIEWS, type UserStatus, type UserView } from "./user-view.ts";

const shape = z.object({
  query: text(LIMITS.queryLength, 0).nullish(),
  status: z.enum(USER_STATUSES).nullish(),
  role: z.enum(ROLES).nullish(),
});

const STATUS = {
  active: "suspended_at IS NULL AND hashed_password IS NOT NULL",
  suspended: "suspended_at IS NOT NULL",
  invited: "suspended_at IS NULL AND hashed_password IS NULL",
} as const satisfies Record<UserStatus, string>;

/**
 * Lists the workspace's members, newest first. `query` matches parts of names, addresses and user names,
 * not case-sensitively.
 *
 * @throws {DomainError} forbidden unless the caller is a person; validation_failed for a page out of range.
 */
export async function listUsers(
  ctx: Ctx,
  page: PageArgs,
  filter: z.input<typeof shape> = {},
): Promise<ListPage<UserView>> {
  requireRole(ctx, "viewer");
  const asked = parseInput(shape, filter);
  return readPage(ctx, {
    table: USER_VIEWS,
    collection: "users",
    filter: buildFilter(asked),
    countUpTo: LIMITS.countedMatches,
    page,
  });
}

function buildFilter({ query, status, role }: z.output<typeof shape>): ListFilter | null {
  const words = (query ?? "").trim();
  if (words === "" && !status && !role) return null;
  return (param) => [
    ...(status ? [STATUS[status]] : []),
    ...(role ? [`role = ${param(role)}::role`] : []),
    ...(words === ""
      ? []
      : [`concat_ws(' ', name, email, user_name) ILIKE ${param(`%${escapeLike(words)}%`)}`]),
  ];
}

/** Escapes the wildcards of LIKE. */
function escapeLike(query: string): string {
  return query.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

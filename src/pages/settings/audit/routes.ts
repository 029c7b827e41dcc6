import { type Context, Hono } from "hono";
import { createFieldError } from "../../../domain/kernel/errors.ts";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerFormError } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseOptional } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { isUuid } from "../../http/uuid-param.ts";
import type { PageEnv } from "../../page-env.ts";
import { formErrors } from "../../parts/form-errors.ts";
import { toCursorLinks, parsePageRequest } from "../../parts/pager.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { toVisitor } from "../frame.ts";
import { type AuditFilter, auditView } from "./view.ts";

const ListAuditEvents = graphql(
  `
    query ListAuditEvents(
      $first: Int
      $after: String
      $last: Int
      $before: String
      $filter: AuditEventFilter
    ) {
      ...ViewerFields
      auditEvents(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
        pageInfo {
          hasNextPage
          hasPreviousPage
          startCursor
          endCursor
        }
        nodes {
          uuid
          seq
          action
          actor {
            type
            uuid
            name
          }
          targetType
          targetId
          ip
          changes
          createdAt
        }
      }
    }
  `,
  [ViewerFields],
);

const ReadReader = graphql(
  `
    query ReadReader {
      ...ViewerFields
    }
  `,
  [ViewerFields],
);

const LABELS = {
  action: "Action",
  actorId: "Actor id",
  targetId: "Target id",
  since: "From",
  until: "Until",
};
const NO_LINKS = { previous: null, next: null };

/** /settings/audit: the audit log. */
export function auditRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, "/settings/audit", { GET: list });
  return app;
}

async function list(c: Context<PageEnv>): Promise<Response> {
  const { action = "", actor = "", target = "", since = "", until = "" } = c.req.query();
  const filter: AuditFilter = { action, actor, target, since, until };
  const ctx = c.get("ctx");
  const tried = await attempt(async () =>
    execute(ctx, ListAuditEvents, { ...parsePageRequest(c.req.query()), filter: toFilterInput(filter) }),
  );
  if (tried.error === null) {
    const { nodes: rows, pageInfo } = tried.result.auditEvents;
    const shown = { rows, around: toCursorLinks(pageInfo, filter), filter, errors: null };
    return answerPage(c, auditView({ visitor: toVisitor(tried.result), ...shown }));
  }
  const visitor = toVisitor(await execute(ctx, ReadReader, {}));
  const errors = formErrors(tried.error, LABELS);
  const page = auditView({ visitor, rows: [], around: NO_LINKS, filter, errors });
  return answerFormError(c, page, tried.error);
}

function toFilterInput({ action, actor, target, since, until }: AuditFilter) {
  return {
    action: parseOptional(action),
    actorId: parseId("actorId", actor),
    targetId: parseOptional(target),
    since: parseTime("since", since),
    until: parseTime("until", until),
  };
}

function parseId(field: string, typed: string): string | null {
  const id = parseOptional(typed);
  if (id === null || isUuid(id)) return id;
  throw createFieldError(field, "must be an ID such as 0192f0c1-7c00-7000-8000-000000000001");
}

/** Parses a datetime-local field, which has no time zone, as UTC. */
function parseTime(field: string, typed: string): string | null {
  const text = typed.trim().replace(" ", "T");
  if (text === "") return null;
  const time = new Date(`${text}${text.includes(":") ? "Z" : ""}`);
  if (TIME.test(text) && !Number.isNaN(time.getTime())) {
    const iso = time.toISOString();
    // Date turns 30 February into a day in March.
    if (iso.startsWith(text.slice(0, 10))) return iso;
  }
  throw createFieldError(field, "must be a time such as 2026-11-21T07:30");
}

/** There is no year 0. */
const TIME = /^(?!0000)\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?$/;

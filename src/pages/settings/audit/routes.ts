import { type Context, Hono } from "hono";
import { invalid } from "../../../domain/errors.ts";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerRefusal } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { optional } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { isUuid } from "../../http/uuid-in.ts";
import type { PageEnv } from "../../page-env.ts";
import { formErrors } from "../../parts/form-errors.ts";
import { aroundCursors, pageAsked } from "../../parts/pager.ts";
import { VisitorFields, visitorFrom } from "../frame.ts";
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
      ...VisitorFields
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
  [VisitorFields],
);

const ReadReader = graphql(
  `
    query ReadReader {
      ...VisitorFields
    }
  `,
  [VisitorFields],
);

const LABELS = {
  action: "Action",
  actorId: "Actor id",
  targetId: "Target id",
  since: "From",
  until: "Until",
};
const NOWHERE = { previous: null, next: null };

/** /settings/audit: who did what. */
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
    execute(ctx, ListAuditEvents, { ...pageAsked(c.req.query()), filter: asked(filter) }),
  );
  if (tried.refusal === null) {
    const { nodes: rows, pageInfo } = tried.result.auditEvents;
    const shown = { rows, around: aroundCursors(pageInfo, filter), filter, errors: null };
    return answerPage(c, auditView({ visitor: visitorFrom(tried.result), ...shown }));
  }
  const visitor = visitorFrom(await execute(ctx, ReadReader, {}));
  const errors = formErrors(tried.refusal, LABELS);
  const page = auditView({ visitor, rows: [], around: NOWHERE, filter, errors });
  return answerRefusal(c, page, tried.refusal);
}

function asked({ action, actor, target, since, until }: AuditFilter) {
  return {
    action: optional(action),
    actorId: idIn("actorId", actor),
    targetId: optional(target),
    since: timeIn("since", since),
    until: timeIn("until", until),
  };
}

function idIn(field: string, typed: string): string | null {
  const id = optional(typed);
  if (id === null || isUuid(id)) return id;
  throw invalid(field, "must be an id such as 0192f0c1-7c00-7000-8000-000000000001");
}

/** The time of a field of type datetime-local, which has no zone: it is UTC. */
function timeIn(field: string, typed: string): string | null {
  const text = typed.trim().replace(" ", "T");
  if (text === "") return null;
  const time = new Date(`${text}${text.includes(":") ? "Z" : ""}`);
  if (TIME.test(text) && !Number.isNaN(time.getTime())) {
    const iso = time.toISOString();
    // Date takes the 30th of February for one of March.
    if (iso.startsWith(text.slice(0, 10))) return iso;
  }
  throw invalid(field, "must be a time such as 2026-11-21T07:30");
}

/** No calendar has a year 0. */
const TIME = /^(?!0000)\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)?$/;

import { type Context, Hono } from "hono";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerFormError, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseChoice } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { toOffsetPage, parseOffset } from "../../parts/pager.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { toVisitor } from "../frame.ts";
import { type GroupRow, groupsView } from "./view.ts";

const ListGroups = graphql(
  `
    query ListGroups($count: Int!, $startIndex: Int!) {
      ...ViewerFields
      directoryGroups(query: { count: $count, startIndex: $startIndex, members: false }) {
        total
        nodes {
          uuid
          attributes
          role
        }
      }
    }
  `,
  [ViewerFields],
);

const MapGroup = graphql(`
  mutation MapGroup($id: ID!, $role: Role) {
    mapDirectoryGroup(input: { id: $id, role: $role }) {
      clientMutationId
    }
  }
`);

const PATH = "/settings/groups";
const ROLES = ["ADMIN", "OPERATOR", "VIEWER"] as const;

/** /settings/groups: the identity provider's groups, and the role mapped to each. */
export function groupRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, PATH, {
    GET: async (c) => answerPage(c, await page(c, null)),
    POST: async (c) => {
      const form = await readForm(c);
      const tried = await attempt(() => map(c, form));
      if (tried.error === null) return goTo(c, `${PATH}?notice=mapped`);
      return answerFormError(c, await page(c, formErrors(tried.error, { role: "Role" })), tried.error);
    },
  });
  return app;
}

async function map(c: Context<PageEnv>, form: SubmittedForm): Promise<void> {
  const role = form.one("role");
  await execute(c.get("ctx"), MapGroup, {
    id: toGlobalId("Group", form.one("id")),
    role: role === "" ? null : parseChoice("role", role, ROLES),
  });
}

async function page(c: Context<PageEnv>, errors: FormErrors | null) {
  const { first, offset } = parseOffset(c.req.query());
  const data = await execute(c.get("ctx"), ListGroups, { count: first, startIndex: offset + 1 });
  const { total, nodes } = data.directoryGroups;
  const { rows, links: around } = toOffsetPage(nodes.map(groupRow), offset);
  return groupsView({
    visitor: toVisitor(data),
    groups: rows,
    around,
    total,
    errors,
    isSudo: requireUser(c.get("ctx")).session.isSudo,
    notice: c.req.query("notice"),
  });
}

function groupRow({
  uuid,
  attributes,
  role,
}: {
  uuid: string;
  attributes: unknown;
  role: string | null;
}): GroupRow {
  // The directory requires displayName to be a string.
  const { displayName } = attributes as { displayName: string };
  return { uuid, name: displayName, role };
}

import { type Context, Hono } from "hono";
import { invalid } from "../../../domain/errors.ts";
import { requirePerson } from "../../../domain/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerRefusal, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { oneOf } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type Form, readForm } from "../../http/read-form.ts";
import { uuidIn } from "../../http/uuid-in.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import type { PagesServices } from "../../pages-services.ts";
import { VisitorFields, nowOf, rolesUpTo, visitorFrom } from "../frame.ts";
import { showInvitationLink } from "./show-invitation-link.ts";
import { memberView } from "./member-view.ts";

const ReadMember = graphql(
  `
    query ReadMember($id: ID!) {
      ...VisitorFields
      user(id: $id) {
        uuid
        name
        email
        userName
        role
        status
        confirmedAt
        suspendedAt
        lastSeenAt
        createdAt
      }
    }
  `,
  [VisitorFields],
);

const UpdateUserRole = graphql(`
  mutation UpdateUserRole($id: ID!, $role: Role!) {
    updateUserRole(input: { id: $id, role: $role }) {
      clientMutationId
    }
  }
`);

const SuspendUser = graphql(`
  mutation SuspendUser($id: ID!) {
    suspendUser(input: { id: $id }) {
      clientMutationId
    }
  }
`);

const UnsuspendUser = graphql(`
  mutation UnsuspendUser($id: ID!) {
    unsuspendUser(input: { id: $id }) {
      clientMutationId
    }
  }
`);

const DeleteUser = graphql(`
  mutation DeleteUser($id: ID!) {
    deleteUser(input: { id: $id }) {
      clientMutationId
    }
  }
`);

const ResendInvitation = graphql(`
  mutation ResendInvitation($id: ID!) {
    resendInvitation(input: { id: $id }) {
      link
    }
  }
`);

const LIST = "/settings/members";

/** /settings/members/:id: a member, and what can be done with him. */
export function memberRoutes({ mailer }: PagesServices): Hono<PageEnv> {
  const isMailed = mailer.isProvider;
  const app = new Hono<PageEnv>();
  pageRoute(app, `${LIST}/:id`, {
    GET: async (c) => answerPage(c, await page(c, { errors: null, isMailed })),
    POST: async (c) => {
      const form = await readForm(c);
      const tried = await attempt(() => act(c, form));
      if (tried.refusal === null) return tried.result;
      const errors = formErrors(tried.refusal, { role: "Role" });
      return answerRefusal(c, await page(c, { errors, isMailed }), tried.refusal);
    },
  });
  return app;
}

/** Does what a form of the page asks for. */
async function act(c: Context<PageEnv>, form: Form): Promise<Response> {
  const ctx = c.get("ctx");
  const uuid = uuidIn(c, "member");
  const id = toGlobalId("User", uuid);
  const own = `${LIST}/${uuid}?notice=`;
  switch (form.one("act")) {
    case "role": {
      const role = oneOf("role", form.one("role"), rolesUpTo(requirePerson(c.get("ctx")).role));
      await execute(ctx, UpdateUserRole, { id, role });
      return goTo(c, `${own}role`);
    }
    case "suspend":
      await execute(ctx, SuspendUser, { id });
      return goTo(c, `${own}suspended`);
    case "unsuspend":
      await execute(ctx, UnsuspendUser, { id });
      return goTo(c, `${own}unsuspended`);
    case "resend": {
      const { link } = (await execute(ctx, ResendInvitation, { id })).resendInvitation;
      return link === null ? goTo(c, `${own}resent`) : showInvitationLink(c, link);
    }
    case "delete":
      await execute(ctx, DeleteUser, { id });
      return goTo(c, `${LIST}?notice=deleted`);
    default:
      throw invalid("act", "is unknown");
  }
}

async function page(c: Context<PageEnv>, shown: { errors: FormErrors | null; isMailed: boolean }) {
  const person = requirePerson(c.get("ctx"));
  const data = await execute(c.get("ctx"), ReadMember, { id: toGlobalId("User", uuidIn(c, "member")) });
  const roles = rolesUpTo(person.role);
  return memberView({
    visitor: visitorFrom(data),
    member: data.user,
    isSelf: data.user.uuid === person.id,
    roles: roles.includes(data.user.role) ? roles : [],
    isSudo: person.session.isSudo,
    now: nowOf(c),
    notice: c.req.query("notice"),
    ...shown,
  });
}

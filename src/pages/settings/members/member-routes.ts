import { type Context, Hono } from "hono";
import { createFieldError } from "../../../domain/kernel/errors.ts";
import { requireUser } from "../../../domain/kernel/guard.ts";
import { execute } from "../../../schema/execute.ts";
import { toGlobalId } from "../../../schema/global-id.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage, answerFormError, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseChoice } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import { getUuidParam } from "../../http/uuid-param.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import type { PagesServices } from "../../pages-services.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { getNow, listRolesUpTo, toVisitor } from "../frame.ts";
import { showInvitationLink } from "./show-invitation-link.ts";
import { memberView } from "./member-view.ts";

const ReadMember = graphql(
  `
    query ReadMember($id: ID!) {
      ...ViewerFields
      user(id: $id) {
        uuid
        name
        email
        userName
        role
        status
        hasSecondFactor
        confirmedAt
        suspendedAt
        lastSeenAt
        createdAt
      }
    }
  `,
  [ViewerFields],
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

const RemoveUserFactors = graphql(`
  mutation RemoveUserFactors($id: ID!) {
    removeUserFactors(input: { id: $id }) {
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

/** /settings/members/:id: shows and manages a member. */
export function memberRoutes({ mailer }: PagesServices): Hono<PageEnv> {
  const isMailed = mailer.isProvider;
  const app = new Hono<PageEnv>();
  pageRoute(app, `${LIST}/:id`, {
    GET: async (c) => answerPage(c, await page(c, { errors: null, isMailed })),
    POST: async (c) => {
      const form = await readForm(c);
      const tried = await attempt(() => act(c, form));
      if (tried.error === null) return tried.result;
      const errors = formErrors(tried.error, { role: "Role" });
      return answerFormError(c, await page(c, { errors, isMailed }), tried.error);
    },
  });
  return app;
}

/** Runs the action of the submitted form. */
async function act(c: Context<PageEnv>, form: SubmittedForm): Promise<Response> {
  const ctx = c.get("ctx");
  const uuid = getUuidParam(c, "member");
  const id = toGlobalId("User", uuid);
  const own = `${LIST}/${uuid}?notice=`;
  switch (form.one("act")) {
    case "role": {
      const role = parseChoice("role", form.one("role"), listRolesUpTo(requireUser(c.get("ctx")).role));
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
    case "remove-factors":
      await execute(ctx, RemoveUserFactors, { id });
      return goTo(c, `${own}factors-removed`);
    case "delete":
      await execute(ctx, DeleteUser, { id });
      return goTo(c, `${LIST}?notice=deleted`);
    default:
      throw createFieldError("act", "is unknown");
  }
}

async function page(c: Context<PageEnv>, shown: { errors: FormErrors | null; isMailed: boolean }) {
  const person = requireUser(c.get("ctx"));
  const data = await execute(c.get("ctx"), ReadMember, { id: toGlobalId("User", getUuidParam(c, "member")) });
  const roles = listRolesUpTo(person.role);
  return memberView({
    visitor: toVisitor(data),
    member: data.user,
    isOwner: person.role === "owner",
    isSelf: data.user.uuid === person.id,
    roles: roles.includes(data.user.role) ? roles : [],
    isSudo: person.session.isSudo,
    now: getNow(c),
    notice: c.req.query("notice"),
    ...shown,
  });
}

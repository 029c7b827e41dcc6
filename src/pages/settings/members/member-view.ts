import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { confirm } from "../../parts/confirm.ts";
import { radioGroup } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { notice, findNotice } from "../../parts/notice.ts";
import { ROLE_OPTIONS, roleBadge } from "../../parts/role.ts";
import { timeAgo, time } from "../../parts/time.ts";
import { unlock } from "../../parts/unlock.ts";
import { statusBadge } from "./status.ts";

/** A member with all details. */
export type Member = {
  uuid: string;
  name: string | null;
  email: string | null;
  userName: string | null;
  role: string;
  status: string;
  hasSecondFactor: boolean | null;
  confirmedAt: string | null;
  suspendedAt: string | null;
  lastSeenAt: string | null;
  createdAt: string;
};

export type MemberProps = {
  visitor: Visitor;
  member: Member;
  isSelf: boolean;
  /** Whether the visitor is an owner. */
  isOwner: boolean;
  /** The roles the visitor may assign. Empty if the member's role is higher than the visitor's. */
  roles: readonly string[];
  isSudo: boolean;
  now: Date;
  notice?: string | undefined;
  errors: FormErrors | null;
  /** Whether invitations are sent by email. Otherwise the inviter gets a link to pass on. */
  isMailed: boolean;
};

const NOTICES = {
  role: "The role has been changed.",
  suspended: "The member has been suspended and logged out everywhere.",
  unsuspended: "The member can log in again.",
  "factors-removed": "The member's second factors have been removed, and the member logged out everywhere.",
  resent: "Another invitation has been sent.",
};

export function memberView(props: MemberProps): Html {
  const { visitor, member, roles, isSudo, errors } = props;
  return settingsPage(
    {
      title: member.name ?? member.email ?? "Unnamed member",
      section: "/settings/members",
      above: { href: "/settings/members", title: "Members" },
      visitor,
      hasErrors: errors !== null,
    },
    html`${findNotice(NOTICES, props.notice)} ${errorSummary(errors)} ${facts(props)}
    ${roles.length === 0 && notice("plain", "Only an owner can change, suspend or delete an owner.")}
    ${roles.length > 0 && !isSudo && unlock(`/settings/members/${member.uuid}`)}
    ${roles.length > 0 && isSudo && html`${roleForm(props)} ${acts(props)}`}`,
  );
}

function facts({ member, now }: MemberProps): Html {
  return html`<section class="card">
    <h2 class="visually-hidden">Details</h2>
    <dl class="facts">
      <dt>Email</dt>
      <dd>${member.email ?? "None"}</dd>
      ${
        member.userName !== null &&
        html`<dt>Username</dt>
          <dd>${member.userName}</dd>`
      }
      <dt>Role</dt>
      <dd>${roleBadge(member.role)}</dd>
      <dt>Status</dt>
      <dd>
        ${statusBadge(member.status)}
        ${member.suspendedAt !== null && html`since ${time(member.suspendedAt)}`}
      </dd>
      <dt>Second factor</dt>
      <dd>${member.hasSecondFactor === true ? "Yes" : "No"}</dd>
      <dt>Last seen</dt>
      <dd>${timeAgo(member.lastSeenAt, now)}</dd>
      <dt>Member since</dt>
      <dd>${time(member.createdAt)}</dd>
    </dl>
  </section>`;
}

function roleForm({ member, roles, errors }: MemberProps): Html {
  return html`<section class="card">
    <h2 class="card-head">Role</h2>
    <form class="form narrow" method="post">
      ${hiddenFields({ act: "role" })}
      ${radioGroup({
        id: "role",
        label: "Permissions",
        value: member.role,
        options: ROLE_OPTIONS.filter(({ value }) => roles.includes(value)),
        errors,
      })}
      <div class="actions"><button class="button">Change role</button></div>
    </form>
  </section>`;
}

function acts({ member, isSelf, isOwner, isMailed }: MemberProps): Html {
  const name = member.name ?? member.email ?? "This member";
  return html`<section class="card card-danger">
    <h2 class="card-head">Access</h2>
    <div class="stack-m">
      ${member.status === "INVITED" && act("resend", isMailed ? "Resend invitation" : "Create another invitation link")}
      ${member.status === "SUSPENDED" ? act("unsuspend", "Reactivate") : suspension(name, isSelf)}
      ${isOwner && !isSelf && member.hasSecondFactor === true && factorRemoval(name)}
      ${confirm({
        title: "Delete",
        means: `${name} will be logged out everywhere, and the account can't be restored. Past actions stay in the audit log.`,
        button: isSelf ? "Delete my account" : "Delete member",
        fields: hiddenFields({ act: "delete" }),
      })}
    </div>
  </section>`;
}

function factorRemoval(name: string): Html {
  return confirm({
    title: "Remove second factors",
    means: `For a lost phone. Make sure that it is ${name} who asks: from then on, the password alone logs in. ${name} will be logged out everywhere, and told by email.`,
    button: "Remove second factors",
    fields: hiddenFields({ act: "remove-factors" }),
  });
}

function suspension(name: string, isSelf: boolean): Html {
  return confirm({
    title: "Suspend",
    means: `${name} will be logged out everywhere at once, and links sent by email stop working. API keys created by ${name} keep working, unless the workspace's settings say otherwise.`,
    button: isSelf ? "Suspend my account" : "Suspend member",
    fields: hiddenFields({ act: "suspend" }),
  });
}

function act(name: string, title: string): Html {
  return html`<form method="post">
    ${hiddenFields({ act: name })}<button class="button">${title}</button>
  </form>`;
}

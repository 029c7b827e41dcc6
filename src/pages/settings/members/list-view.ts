import { type Content, type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { field, selectField } from "../../parts/field.ts";
import { findNotice } from "../../parts/notice.ts";
import { type PageLinks, formatCount, pager } from "../../parts/pager.ts";
import { ROLE_OPTIONS, roleBadge } from "../../parts/role.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { timeAgo } from "../../parts/time.ts";
import { STATUS_OPTIONS, statusBadge } from "./status.ts";

/** A member in the list. */
export type MemberRow = {
  uuid: string;
  name: string | null;
  email: string | null;
  role: string;
  status: string;
  /** Null if the visitor may not know. */
  hasSecondFactor: boolean | null;
  lastSeenAt: string | null;
};

/** Entered filter values. "" matches anything. */
export type MemberFilter = { query: string; status: string; role: string };

export type MembersProps = {
  visitor: Visitor;
  members: readonly MemberRow[];
  around: PageLinks;
  total: number | null;
  filter: MemberFilter;
  now: Date;
  notice?: string | undefined;
};

const NOTICES = {
  invited: "The invitation has been sent.",
  deleted: "The member has been deleted and logged out everywhere.",
};

export function membersView(props: MembersProps): Html {
  const { visitor, members, around, total, filter, now } = props;
  return settingsPage(
    {
      title: "Members",
      section: "/settings/members",
      visitor,
      lead: "The people in this workspace and their roles.",
      action: html`<a class="button button-primary" href="/settings/members/invite">Invite member</a>`,
    },
    html`${findNotice(NOTICES, props.notice)} ${filterForm(filter)}
    ${members.length === 0 ? emptyList("No members", "No member matches your filter.") : table("Members", columns(now), members)}
    ${pager(around, formatCount(total, "member"))}`,
  );
}

function filterForm({ query, status, role }: MemberFilter): Html {
  const any = { value: "", title: "Any" };
  return html`<form class="filter" method="get" role="search">
    ${field({ id: "query", label: "Search", type: "search", value: query, errors: null, input: { maxlength: 100, placeholder: "Name or email" } })}
    ${selectField({ id: "role", label: "Role", value: role, options: [any, ...ROLE_OPTIONS], errors: null })}
    ${selectField({ id: "status", label: "Status", value: status, options: [any, ...STATUS_OPTIONS], errors: null })}
    <button class="button">Search</button>
  </form>`;
}

function columns(now: Date): HtmlColumn<MemberRow>[] {
  return [
    { title: "Member", cell: memberCell },
    { title: "Role", cell: ({ role }) => roleBadge(role) },
    { title: "Status", cell: ({ status }) => statusBadge(status) },
    { title: "Second factor", cell: ({ hasSecondFactor }) => (hasSecondFactor === true ? "Yes" : "No") },
    { title: "Last seen", cell: ({ lastSeenAt }) => timeAgo(lastSeenAt, now) },
  ];
}

function memberCell({ uuid, name, email }: MemberRow): Content {
  return html`<a class="primary" href="/settings/members/${uuid}">${name ?? email ?? "Unnamed"}</a>
    ${name !== null && html`<span class="soft">${email}</span>`}`;
}

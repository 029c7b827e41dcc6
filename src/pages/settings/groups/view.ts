import { type Content, type Html, attributes, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { findNotice } from "../../parts/notice.ts";
import { type PageLinks, formatCount, pager } from "../../parts/pager.ts";
import { ROLE_OPTIONS, roleBadge } from "../../parts/role.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { unlock } from "../../parts/unlock.ts";

/** A group of the identity provider; without a role it gives its members none. */
export type GroupRow = { uuid: string; name: string; role: string | null };

/** What the page of groups shows. */
export type GroupsProps = {
  visitor: Visitor;
  groups: readonly GroupRow[];
  around: PageLinks;
  total: number;
  isSudo: boolean;
  notice?: string | undefined;
  errors: FormErrors | null;
};

const PAGE = { title: "Groups", section: "/settings/groups" };
const OPTIONS = [{ value: "", title: "No role" }, ...ROLE_OPTIONS.filter(({ value }) => value !== "OWNER")];

/** The identity provider's groups, and the role that each gives to its members. */
export function groupsView({ visitor, groups, around, total, isSudo, notice, errors }: GroupsProps): Html {
  return settingsPage(
    {
      ...PAGE,
      visitor,
      hasErrors: errors !== null,
      lead: "The groups of your identity provider. Members have the highest role that their groups give; owners keep theirs.",
    },
    html`${findNotice({ mapped: "The group's role is changed. It counts from now on." }, notice)}
    ${errorSummary(errors)}
    ${groups.length === 0 ? emptyList("No group", "The identity provider has sent none yet. It needs a token of SCIM.") : table("Groups", columns(isSudo), groups)}
    ${pager(around, formatCount(total, "group"))} ${groups.length > 0 && !isSudo && unlock(PAGE.section)}`,
  );
}

function columns(isSudo: boolean): HtmlColumn<GroupRow>[] {
  return [
    { title: "Group", cell: ({ name }) => html`<span class="primary">${name}</span>` },
    { title: "Role", cell: isSudo ? roleForm : ({ role }) => (role === null ? "No role" : roleBadge(role)) },
  ];
}

function roleForm({ uuid, name, role }: GroupRow): Content {
  return html`<form class="filter" method="post">
    ${hiddenFields({ id: uuid })}
    <label class="visually-hidden" for="role-${uuid}">Role of ${name}</label>
    <select class="input" id="role-${uuid}" name="role">
      ${OPTIONS.map(({ value, title }) => html`<option${attributes({ value, selected: value === (role ?? "") })}>${title}</option>`)}
    </select>
    <button class="button button-small">Save</button>
  </form>`;
}

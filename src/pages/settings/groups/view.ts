import { type Content, type Html, attributes, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { findNotice } from "../../parts/notice.ts";
import { type PageLinks, formatCount, pager } from "../../parts/pager.ts";
import { ROLE_OPTIONS, roleBadge } from "../../parts/role.ts";
import { type HtmlColumn, emptyList, table } from "../../parts/table.ts";
import { unlock } from "../../parts/unlock.ts";

/** A directory group. `role` is null if the group is not mapped. */
export type GroupRow = { uuid: string; name: string; role: string | null };

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

export function groupsView({ visitor, groups, around, total, isSudo, notice, errors }: GroupsProps): Html {
  return settingsPage(
    {
      ...PAGE,
      visitor,
      hasErrors: errors !== null,
      lead: "Groups from your identity provider. Members get the highest role of their groups. Owners always keep theirs.",
    },
    html`${findNotice({ mapped: "The group's role has been changed." }, notice)} ${errorSummary(errors)}
    ${groups.length === 0 ? emptyList("No groups yet", "They appear once your identity provider has sent them. It needs a SCIM token.") : table("Groups", columns(isSudo), groups)}
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
    <label class="visually-hidden" for="role-${uuid}">Role for ${name}</label>
    <select class="input" id="role-${uuid}" name="role">
      ${OPTIONS.map(({ value, title }) => html`<option${attributes({ value, selected: value === (role ?? "") })}>${title}</option>`)}
    </select>
    <button class="button button-small">Save</button>
  </form>`;
}

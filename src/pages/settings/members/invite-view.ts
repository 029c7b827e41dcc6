import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { field, radioGroup } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { ROLE_OPTIONS } from "../../parts/role.ts";

/** What the page that invites a member shows. */
export type InviteProps = {
  visitor: Visitor;
  typed: { email: string; name: string; role: string };
  /** The roles that the visitor may give. */
  roles: readonly string[];
  errors: FormErrors | null;
  /** Whether a mail provider carries the invitation; else the inviter does. */
  isMailed: boolean;
};

/** The page that invites a member. */
export function inviteView({ visitor, typed, roles, errors, isMailed }: InviteProps): Html {
  const options = ROLE_OPTIONS.filter(({ value }) => roles.includes(value));
  return settingsPage(
    {
      title: "Invite a member",
      section: "/settings/members",
      above: { href: "/settings/members", title: "Members" },
      visitor,
      hasErrors: errors !== null,
      lead: isMailed
        ? "We send an email with a link. It works once and for seven days."
        : "No mail provider is set up: you get a link to hand over. It works once and for seven days.",
    },
    html`${errorSummary(errors)}
      <section class="card">
        <form class="form narrow" method="post">
          ${field({
            id: "email",
            label: "Email",
            type: "email",
            value: typed.email,
            errors,
            input: { autocomplete: "off", required: true, maxlength: 160 },
          })}
          ${field({
            id: "name",
            label: "Name (optional)",
            value: typed.name,
            errors,
            input: { autocomplete: "off", maxlength: 100 },
          })}
          ${radioGroup({ id: "role", label: "Role", value: typed.role, options, errors })}
          <div class="actions">
            <button class="button button-primary">
              ${isMailed ? "Send the invitation" : "Make the invitation"}
            </button>
            <a class="button" href="/settings/members">Cancel</a>
          </div>
        </form>
      </section>`,
  );
}

import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { field, radioGroup } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { ROLE_OPTIONS } from "../../parts/role.ts";

export type InviteProps = {
  visitor: Visitor;
  typed: { email: string; name: string; role: string };
  /** The roles the visitor may assign. */
  roles: readonly string[];
  errors: FormErrors | null;
  /** Whether invitations are sent by email. Otherwise the inviter gets a link to pass on. */
  isMailed: boolean;
};

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
        ? "We'll send an email with a link that works once, within seven days."
        : "No mail provider is set up, so you'll get a link to pass on. It works once, within seven days.",
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
              ${isMailed ? "Send invitation" : "Create invitation link"}
            </button>
            <a class="button" href="/settings/members">Cancel</a>
          </div>
        </form>
      </section>`,
  );
}

import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { field } from "../../parts/field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { findNotice } from "../../parts/notice.ts";
import { roleBadge } from "../../parts/role.ts";
import { time } from "../../parts/time.ts";

export type ProfileProps = {
  visitor: Visitor;
  name: string;
  user: { email: string | null; role: string; createdAt: string };
  notice?: string | undefined;
  errors: FormErrors | null;
};

export function profileView({ visitor, name, user, notice, errors }: ProfileProps): Html {
  return settingsPage(
    {
      title: "Profile",
      section: "/settings",
      visitor,
      hasErrors: errors !== null,
      lead: "How others in the workspace see you.",
    },
    html`${findNotice({ saved: "Your profile has been saved." }, notice)} ${errorSummary(errors)}
      <section class="card">
        <form class="form narrow" method="post">
          ${field({
            id: "name",
            label: "Name",
            value: name,
            hint: "If empty, your email address is shown.",
            errors,
            input: { autocomplete: "name", maxlength: 100 },
          })}
          <div class="actions"><button class="button button-primary">Save</button></div>
        </form>
      </section>
      <section class="card">
        <h2 class="card-head">Your account</h2>
        <dl class="facts">
          <dt>Email</dt>
          <dd>${user.email ?? "None"} <a class="small" href="/settings/email">Change</a></dd>
          <dt>Workspace</dt>
          <dd>${visitor.workspaceName}</dd>
          <dt>Role</dt>
          <dd>${roleBadge(user.role)}</dd>
          <dt>Member since</dt>
          <dd>${time(user.createdAt)}</dd>
        </dl>
      </section>`,
  );
}

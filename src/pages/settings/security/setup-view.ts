import { type Html, html } from "../../html.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import { codeField } from "../../parts/code-field.ts";
import { type FormErrors, errorSummary } from "../../parts/form-errors.ts";
import { hiddenFields } from "../../parts/hidden-fields.ts";
import { qrCode } from "../../parts/qr-code.ts";

export type SetupProps = {
  visitor: Visitor;
  secret: string;
  uri: string;
  setup: string;
  errors: FormErrors | null;
};

/** Adds an authenticator app: its secret as a QR code and as text, and a field for the first code. */
export function setupView({ visitor, secret, uri, setup, errors }: SetupProps): Html {
  return settingsPage(
    {
      title: "Set up an authenticator app",
      section: "/settings/security",
      above: { href: "/settings/security", title: "Security" },
      visitor,
      hasErrors: errors !== null,
    },
    html`${errorSummary(errors)}
      <section class="card stack">
        <div class="stack-s">
          <h2>1. Scan this code with the app</h2>
          ${qrCode(uri, "QR code for your authenticator app")}
        </div>
        <div class="stack-s">
          <p class="label" id="secret-label">Or type this key into it</p>
          <code class="secret" role="textbox" aria-readonly="true" tabindex="0" aria-labelledby="secret-label"
            >${spaced(secret)}</code
          >
          <p class="small soft">
            Based on time, SHA-1, six digits, 30 seconds. <a href="${uri}">Open in an app on this device</a>
          </p>
        </div>
        <form class="form narrow" method="post">
          <h2>2. Enter the code that it shows</h2>
          ${hiddenFields({ act: "add-app", setup })} ${codeField({ label: "Code", errors })}
          <div class="actions"><button class="button button-primary">Add authenticator app</button></div>
        </form>
      </section>`,
  );
}

function spaced(secret: string): string {
  return (secret.match(/.{1,4}/g) ?? []).join(" ");
}

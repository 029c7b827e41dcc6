import { type Content, type Html, html } from "../html.ts";
import { notice } from "./notice.ts";

/** A secret that is shown only once. */
export function secretCard({ label, secret, next }: { label: string; secret: string; next: Content }): Html {
  return html`${notice("warn", html`<strong>Copy it now.</strong> You won't be able to see it again.`)}
    <section class="card stack">
      <div class="stack-s">
        <p class="label" id="secret-label">${label}</p>
        <code class="secret" role="textbox" aria-readonly="true" tabindex="0" aria-labelledby="secret-label"
          >${secret}</code
        >
      </div>
      ${next}
    </section>`;
}

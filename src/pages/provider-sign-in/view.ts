import { type Html, html } from "../html.ts";
import { gatePage } from "../layout/gate-page.ts";

/** On the way to a provider. A page between, because forms may lead to this site only. */
export function leavingView(url: URL): Html {
  return leaving(url, {
    title: "Continue to your company",
    says: html`You sign in at <strong>${url.host}</strong>, and come back then.`,
  });
}

/** On the way to a provider, where the person logs out too. */
export function loggingOutView(url: URL): Html {
  return leaving(url, {
    title: "You have been logged out",
    says: html`Now you log out at <strong>${url.host}</strong> too.`,
  });
}

function leaving(url: URL, { title, says }: { title: string; says: Html }): Html {
  return gatePage(
    { title },
    html`<div class="stack">
      <div>
        <h1>${title}</h1>
        <p class="soft">${says}</p>
      </div>
      <a class="button button-primary button-wide" href="${url.href}" rel="noreferrer">Continue</a>
    </div>`,
  );
}

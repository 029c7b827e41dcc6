import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { type Html, html } from "../../html.ts";
import { answerPage } from "../../http/answer.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import type { PageEnv } from "../../page-env.ts";
import { secretCard } from "../../parts/secret.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { toVisitor } from "../frame.ts";
import type { Context } from "hono";

const ReadHost = graphql(
  `
    query ReadHost {
      ...ViewerFields
    }
  `,
  [ViewerFields],
);

/** Shows an invitation link once. */
export async function showInvitationLink(c: Context<PageEnv>, link: string): Promise<Response> {
  const visitor = toVisitor(await execute(c.get("ctx"), ReadHost, {}));
  return answerPage(c, invitationLinkView({ visitor, link }));
}

/** The only page that shows an invitation link, used without a mail provider. */
function invitationLinkView({ visitor, link }: { visitor: Visitor; link: string }): Html {
  return settingsPage(
    {
      title: "Invitation created",
      section: "/settings/members",
      above: { href: "/settings/members", title: "Members" },
      visitor,
    },
    secretCard({
      label: "Invitation link",
      secret: link,
      next: html`<p class="soft">
          No mail provider is set up, so nothing was sent. Pass the link on yourself, only to the person you
          invited: whoever opens it sets the password. It works once, within seven days.
        </p>
        <div class="actions">
          <a class="button button-primary" href="/settings/members">I have copied it</a>
        </div>`,
    }),
  );
}

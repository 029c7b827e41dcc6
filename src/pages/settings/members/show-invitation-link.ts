import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { type Html, html } from "../../html.ts";
import { answerPage } from "../../http/answer.ts";
import { type Visitor, settingsPage } from "../../layout/settings-page.ts";
import type { PageEnv } from "../../page-env.ts";
import { secretCard } from "../../parts/secret.ts";
import { VisitorFields, toVisitor } from "../frame.ts";
import type { Context } from "hono";

const ReadHost = graphql(
  `
    query ReadHost {
      ...VisitorFields
    }
  `,
  [VisitorFields],
);

/** Answers with the link of an invitation, this once. */
export async function showInvitationLink(c: Context<PageEnv>, link: string): Promise<Response> {
  const visitor = toVisitor(await execute(c.get("ctx"), ReadHost, {}));
  return answerPage(c, invitationLinkView({ visitor, link }));
}

/** The one page that shows the link of an invitation, where no mail provider carries it. */
function invitationLinkView({ visitor, link }: { visitor: Visitor; link: string }): Html {
  return settingsPage(
    {
      title: "The invitation is made",
      section: "/settings/members",
      above: { href: "/settings/members", title: "Members" },
      visitor,
    },
    secretCard({
      label: "Invitation link",
      secret: link,
      next: html`<p class="soft">
          No mail provider is set up, so nothing was sent: hand the link over yourself, to nobody else.
          Whoever opens it sets the password. It works once and for seven days.
        </p>
        <div class="actions">
          <a class="button button-primary" href="/settings/members">I have copied it</a>
        </div>`,
    }),
  );
}

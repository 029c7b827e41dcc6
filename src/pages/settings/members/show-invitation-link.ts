import type { Context } from "hono";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerPage } from "../../http/answer.ts";
import type { PageEnv } from "../../page-env.ts";
import { VisitorFields, visitorFrom } from "../frame.ts";
import { invitationLinkView } from "./invitation-link-view.ts";

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
  const visitor = visitorFrom(await execute(c.get("ctx"), ReadHost, {}));
  return answerPage(c, invitationLinkView({ visitor, link }));
}

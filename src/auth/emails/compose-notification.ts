import type { NotificationTopic } from "../../db/generated/enums.ts";
import type { AlertNews, Digest, Email, LateQuestion } from "../../domain/emails/email.ts";
import type { Ctx } from "../../domain/kernel/context.ts";
import { readAlertNews } from "../../domain/notifications/read-alert-news.ts";
import { readDigest } from "../../domain/notifications/read-digest.ts";
import { readLateQuestions } from "../../domain/notifications/read-late-questions.ts";
import { dropUnsubscribeLink, mintUnsubscribeLink } from "../unsubscribe/unsubscribe-link.ts";
import type { ComposedEmail } from "./composed-email.ts";
import type { HeldNotification } from "./held-email.ts";

/** What an email says besides its links, and the page that shows more. */
type News = { path: string } & (
  | { kind: "alerts"; alerts: AlertNews[] }
  | { kind: "waiting_questions"; questions: LateQuestion[]; hasMore: boolean }
  | { kind: "digest"; digest: Digest }
);

/**
 * Composes an email that a person asked for, of what is so now, for the address that the person has now. Null if there is
 * nothing to say any more, or the person may not be told.
 */
export async function composeNotification(
  ctx: Ctx,
  held: HeldNotification,
  baseUrl: string,
): Promise<ComposedEmail | null> {
  const to = held.reachedAt;
  if (to === null) return null;
  const news = await readNews(ctx, held);
  if (news === null) return null;
  const topic: NotificationTopic = held.kind;
  const unsubscribe = await mintUnsubscribeLink(ctx, { userId: held.userId, topic });
  const { path, ...content } = news;
  const email: Email = {
    ...content,
    workspace: held.workspaceName,
    name: held.name,
    link: baseUrl + path,
    unsubscribeLink: baseUrl + unsubscribe.path,
  };
  return { to, email, discard: () => dropUnsubscribeLink(ctx, unsubscribe) };
}

async function readNews(ctx: Ctx, { kind, data }: HeldNotification): Promise<News | null> {
  switch (kind) {
    case "alerts": {
      const alerts = await readAlertNews(ctx, new Date(data.since));
      return alerts.length === 0 ? null : { path: "/alerts", kind, alerts };
    }
    case "waiting_questions": {
      const since = data.since === null ? null : new Date(data.since);
      const late = await readLateQuestions(ctx, { since, until: new Date(data.until) });
      return late.questions.length === 0 ? null : { path: "/", kind, ...late };
    }
    case "digest": {
      const digest = await readDigest(ctx, data.frequency);
      return digest && { path: "/", kind, digest };
    }
  }
}

import { type Context, Hono } from "hono";
import type { Ctx } from "../../../domain/kernel/context.ts";
import { LIMITS } from "../../../domain/kernel/limits.ts";
import { execute } from "../../../schema/execute.ts";
import { graphql } from "../../../schema/graphql.ts";
import { answerFormError, answerPage, goTo } from "../../http/answer.ts";
import { attempt } from "../../http/attempt.ts";
import { parseChoice, parseWholeNumber } from "../../http/form-values.ts";
import { pageRoute } from "../../http/page-route.ts";
import { type SubmittedForm, readForm } from "../../http/read-form.ts";
import type { PageEnv } from "../../page-env.ts";
import { type FormErrors, formErrors } from "../../parts/form-errors.ts";
import { ViewerFields } from "../../layout/viewer.ts";
import { toVisitor } from "../frame.ts";
import { type NotificationValues, notificationsView } from "./view.ts";

const ReadNotifications = graphql(
  `
    query ReadNotifications {
      ...ViewerFields
      viewer {
        user {
          email
        }
      }
      notificationSettings {
        alerts
        questionMinutes
        digest
        digestHour
        timeZone
        digestDueAt
      }
    }
  `,
  [ViewerFields],
);

const UpdateNotifications = graphql(`
  mutation UpdateNotifications($input: UpdateNotificationSettingsInput!) {
    updateNotificationSettings(input: $input) {
      clientMutationId
    }
  }
`);

const LABELS = {
  questionMinutes: "Minutes",
  digest: "How often",
  digestHour: "Hour",
  timeZone: "Time zone",
};

/** /settings/notifications: what the user is told of by email. */
export function notificationRoutes(): Hono<PageEnv> {
  const app = new Hono<PageEnv>();
  pageRoute(app, "/settings/notifications", {
    GET: async (c) => answerPage(c, await page(c, null)),
    POST: async (c) => {
      const typed = readTyped(await readForm(c));
      const tried = await attempt(() => save(c.get("ctx"), typed));
      if (tried.error === null) return goTo(c, "/settings/notifications?notice=saved");
      return answerFormError(
        c,
        await page(c, { typed, errors: formErrors(tried.error, LABELS) }),
        tried.error,
      );
    },
  });
  return app;
}

async function save(ctx: Ctx, typed: NotificationValues): Promise<void> {
  await execute(ctx, UpdateNotifications, { input: toInput(typed) });
}

function readTyped(form: SubmittedForm): NotificationValues {
  return {
    alerts: form.one("alerts") === "true",
    questions: form.one("questions") === "true",
    questionMinutes: form.one("questionMinutes"),
    digest: form.one("digest"),
    digestHour: form.one("digestHour"),
    timeZone: form.one("timeZone"),
  };
}

/** @throws {DomainError} validation_failed for what the schema does not take. */
function toInput({ alerts, questions, questionMinutes, digest, digestHour, timeZone }: NotificationValues) {
  return {
    ...{ alerts, timeZone },
    questionMinutes: questions ? parseWholeNumber("questionMinutes", questionMinutes) : null,
    digest: parseChoice("digest", digest, ["NEVER", "DAILY", "WEEKLY"]),
    digestHour: parseWholeNumber("digestHour", digestHour),
  };
}

async function page(c: Context<PageEnv>, given: { typed: NotificationValues; errors: FormErrors } | null) {
  const data = await execute(c.get("ctx"), ReadNotifications, {});
  const { alerts, questionMinutes, digest, digestHour, timeZone, digestDueAt } = data.notificationSettings;
  const saved = {
    alerts,
    questions: questionMinutes !== null,
    questionMinutes: String(questionMinutes ?? LIMITS.questionMinutes.default),
    digest,
    digestHour: String(digestHour),
    timeZone,
  };
  return notificationsView({
    visitor: toVisitor(data),
    email: data.viewer.user?.email ?? null,
    values: given?.typed ?? saved,
    digestDueAt,
    notice: c.req.query("notice"),
    errors: given?.errors ?? null,
  });
}

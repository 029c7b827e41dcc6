import { deliverEmails } from "../../src/auth/emails/deliver-emails.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { sendMessage } from "../../src/domain/messages/send-message.ts";
import { updateNotificationSettings } from "../../src/domain/notifications/update-notification-settings.ts";
import { agentCtx } from "./agent-ctx.ts";
import { insertTestAgent } from "./factories.ts";
import type { MailMember, MailWorld } from "./mail-world.ts";
import { personCtx } from "./person-ctx.ts";

type Wanted = Parameters<typeof updateNotificationSettings>[1];
type Delivered = { to: string; subject: string; text: string };

/** A workspace with a person and an agent, in which minutes pass when a test says so. */
export type NotificationScene = {
  member: MailMember;
  createColleague: () => Promise<MailMember>;
  /** The context of a person, by default the member. */
  enter: (who?: MailMember) => Ctx;
  /** Changes what a person, by default the member, is told of. */
  want: (wanted: Wanted, who?: MailMember) => Promise<void>;
  /** The agent asks a question, as of so many minutes ago. @returns its id. */
  ask: (text: string, minutesAgo?: number) => Promise<string>;
  /** So many minutes after the scene began. */
  after: (minutes: number) => Date;
  /** Sends what is due at a time. @returns the emails, by address. */
  deliverAt: (now: Date) => Promise<Delivered[]>;
  deliverAfter: (minutes: number) => Promise<Delivered[]>;
};

/** Begins in a world without emails and settings. */
export async function openNotificationScene(world: MailWorld): Promise<NotificationScene> {
  world.api.reset();
  for (const table of ["mail_outbox", "notification_settings", "unsubscribe_link"]) {
    await world.database.query(`DELETE FROM ${table}`);
  }
  const member = await world.createMember();
  const opened = (who: MailMember) => ({ services: world.services, systemCtx: () => who.ctx });
  const agentId = await insertTestAgent(member.ctx);
  const agent = agentCtx(opened(member), { id: agentId, workspaceId: member.workspaceId });
  const startMs = Date.now();
  const after = (minutes: number) => new Date(startMs + minutes * 60_000);
  const enter = (who = member) => personCtx(opened(who), who, { role: "owner" });
  async function deliverAt(now: Date): Promise<Delivered[]> {
    const { length } = world.api.emails;
    await deliverEmails(world.at(now));
    return world.api.emails.slice(length).map(toDelivered).toSorted(compareAddresses);
  }
  return {
    ...{ member, after, enter },
    createColleague: () => world.createMember(undefined, { workspaceId: member.workspaceId }),
    want: async (wanted, who) => void (await updateNotificationSettings(enter(who), wanted)),
    ask: async (text, minutesAgo = 0) => {
      const question = { contextId: crypto.randomUUID(), kind: "question" as const, parts: [{ text }] };
      const { message } = await sendMessage(agent, question);
      await world.database.query(
        "UPDATE message SET created_at = created_at - $2::int * interval '1 minute' WHERE id = $1",
        [message.id, minutesAgo],
      );
      return message.id;
    },
    deliverAt,
    deliverAfter: (minutes) => deliverAt(after(minutes)),
  };
}

/** Forms have the line ends of HTTP. */
function toDelivered({ to, form }: MailWorld["api"]["emails"][number]): Delivered {
  return { to, subject: form["subject"] ?? "", text: (form["text"] ?? "").replaceAll("\r\n", "\n") };
}

function compareAddresses(one: Delivered, other: Delivered): number {
  return one.to < other.to ? -1 : 1;
}

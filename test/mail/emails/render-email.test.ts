import { describe, expect, it } from "vitest";
import type { Digest, Email } from "../../../src/domain/emails/email.ts";
import { renderEmail } from "../../../src/mail/emails/render-email.ts";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const LINK = "https://ops.example.com/users/a-page/t0ken?a=1&b=2";
const place = { at: new Date("2026-11-21T08:05:59Z"), ip: "192.0.2.7", userAgent: FIREFOX };
const to = { workspace: "Acme", name: "Ada" };

const EMAILS: Email[] = [
  { ...to, kind: "reset_password", link: LINK, minutes: 60 },
  { ...to, kind: "password_changed", place, resetLink: LINK },
  { ...to, kind: "new_device", place, sessionsLink: LINK },
  ...(
    [
      "added",
      "removed",
      "removed_by_owner",
      "codes_renewed",
      "code_used",
      "passkey_copied",
      "codes_wrong",
    ] as const
  ).map((news): Email => ({ ...to, kind: "second_factor", news, place, securityLink: LINK })),
  { ...to, kind: "email_change", link: LINK, hours: 24 },
  { ...to, kind: "invitation", link: LINK, days: 7, invitedBy: "Grace" },
  { ...to, kind: "invitation", link: LINK, days: null, invitedBy: "Grace" },
  ...(["failed", "gone"] as const).map((because): Email => {
    return { ...to, kind: "webhook_disabled", host: "example.com", because, link: LINK };
  }),
  { ...to, kind: "break_glass_used", place, usedBy: "Grace", auditLink: LINK },
];
const END = "https://ops.example.com/users/unsubscribe/t0ken";
const links = { link: LINK, unsubscribeLink: END };
const alert = {
  name: "Slow",
  isFiring: true,
  at: place.at,
  metric: "cost",
  value: "$2.00",
  threshold: "$1.00",
};
const question = { text: "May I?", by: "Grace", waitingSeconds: 3599 };
const digest: Digest = {
  ...({ frequency: "weekly", costUsd: 1.5, approvalsWaiting: 1, alertsFiring: 2 } as const),
  tasks: { completed: 1240, failed: 1, canceled: 0, waiting: 7 },
  missions: { completed: 1, failed: 0 },
  questions: { waiting: 2, oldestSeconds: 90_000 },
  agents: { online: 3, known: 4 },
};
const NOTIFICATIONS: Email[] = [
  { ...to, kind: "alerts", ...links, alerts: [alert] },
  { ...to, kind: "waiting_questions", ...links, questions: [question], hasMore: false },
  { ...to, kind: "digest", ...links, digest },
];
const EVERY: Email[] = [
  ...EMAILS,
  ...NOTIFICATIONS,
  { ...to, kind: "email_changed", place, newEmail: "n***@e***.com" },
];

describe("renderEmail", () => {
  it.each(EVERY)("greets, names the workspace and signs: $kind", (email) => {
    const { subject, text, html } = renderEmail(email);
    expect(subject).toMatch(/^[^\n]{5,78}$/);
    for (const body of [text, html]) {
      expect(body).toContain("Hello Ada,");
      expect(body).toContain("“Acme”");
      expect(body).toContain("Agent Ops");
    }
    expect(text).not.toMatch(/undefined|null|\[object/);
  });

  it.each(EMAILS)(
    "has one link: in full in the text, and as a button and in full in HTML: $kind",
    (email) => {
      const { text, html } = renderEmail(email);
      expect(text.match(/https?:\/\/\S+/g)).toEqual([LINK]);
      const escaped = LINK.replace("&", "&amp;");
      expect([...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([escaped, escaped]);
      expect(html).toContain(`>${escaped}</a>`);
    },
  );

  it.each(EVERY)("has no external resources and no scripts: $kind", (email) => {
    expect(renderEmail(email).html).not.toMatch(
      /<(?:img|script|link|iframe|table|form)\b|url\(|@import|src=/i,
    );
  });

  it.each(EVERY)("shows names as plain text without line breaks: $kind", (email) => {
    const workspace = '<b onclick="x">Acme</b> & "Co"\r\nBcc: eve@example.com';
    const { subject, text, html } = renderEmail({ ...email, workspace, name: "<i>Ada</i>\n\nPay here" });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(text).toContain("Hello <i>Ada</i> Pay here,");
    expect(text).not.toMatch(/^(?:Bcc|Pay)/m);
    expect(html).not.toMatch(/<b |<i>/);
    expect(html).toContain("&lt;i&gt;Ada&lt;/i&gt; Pay here,");
    expect(html).toContain("&lt;b onclick=&quot;x&quot;&gt;Acme&lt;/b&gt; &amp; &quot;Co&quot;");
  });

  it.each(EVERY)("turns no name into a link: $kind", (email) => {
    const lure = "https://evil.example/pay";
    const lured = { ...email, workspace: lure, name: lure };
    const { subject, text, html } = renderEmail("invitedBy" in lured ? { ...lured, invitedBy: lure } : lured);
    for (const part of [subject, text, html]) expect(part).not.toContain(lure);
    expect(text).toContain("Hello https evil.example/pay,");
  });

  it.each(EVERY)("turns no name into a variable of the mail provider: $kind", (email) => {
    const lure = "%unsubscribe_url% 5% of %recipient.name%%tag_unsubscribe_url%";
    const { subject, text, html } = renderEmail({ ...email, workspace: lure, name: lure });
    for (const part of [subject, text, html]) expect(part).not.toMatch(/%[\w.-]+%/);
    expect(text).toContain("Hello % unsubscribe_url% 5% of");
  });

  it("says in a digest what happened and what waits", () => {
    const { text } = renderEmail({ ...to, kind: "digest", ...links, digest });
    expect(text).toContain(
      `The last 7 days in the workspace “Acme”:

- 1,240 tasks completed, 1 failed, 0 canceled; 7 in queues now.
- 1 mission completed, 0 failed.
- 2 questions without an answer, the oldest for 25 hours.
- 1 approval to decide.
- 2 alerts firing.
- 3 of 4 agents online.
- Cost: $1.50.
`,
    );
  });

  it("greets people without a name", () => {
    const [email] = EMAILS;
    if (email === undefined) throw new Error("there is no email");
    expect(renderEmail({ ...email, name: null }).text).toMatch(/^Hello,\n/);
  });

  it.each([
    [FIREFOX, "Firefox on Linux"],
    [IPHONE, "Safari on an iPhone"],
    ["curl/8.0", "an unknown program"],
    ["<script>", "an unknown program"],
    [null, "an unknown program"],
  ])("says when and where something was done, by %s", (userAgent, line) => {
    const { text } = renderEmail({
      ...to,
      kind: "new_device",
      place: { ...place, userAgent },
      sessionsLink: LINK,
    });
    expect(text).toContain(`on 2026-11-21 at 08:05 UTC, from the address 192.0.2.7, with ${line}.`);
  });

  it("omits an unknown address", () => {
    const { text } = renderEmail({
      ...to,
      kind: "new_device",
      place: { ...place, ip: null },
      sessionsLink: LINK,
    });
    expect(text).toContain("on 2026-11-21 at 08:05 UTC, with Firefox on Linux.");
  });
});

import { describe, expect, it } from "vitest";
import type { Email } from "../../../src/domain/emails/email.ts";
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
const EVERY: Email[] = [...EMAILS, { ...to, kind: "email_changed", place, newEmail: "n***@e***.com" }];

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

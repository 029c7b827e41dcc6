import { describe, expect, it } from "vitest";
import type { Email } from "../../../src/domain/emails/email.ts";
import { renderEmail } from "../../../src/mail/emails/render-email.ts";
import { formatWait } from "../../../src/mail/emails/render-notifications.ts";

const LINK = "https://ops.example.com/alerts";
const END = "https://ops.example.com/users/unsubscribe/t0ken?a=1&b=2";
const base = { workspace: "Acme", name: "Ada", link: LINK, unsubscribeLink: END };
const at = new Date("2026-11-28T09:31:20Z");
const alert = { name: "Slow", isFiring: true, at, metric: "question age", value: "90 s", threshold: "60 s" };

function alerts(...given: Extract<Email, { kind: "alerts" }>["alerts"]) {
  return renderEmail({ ...base, kind: "alerts", alerts: given });
}

describe("emails that people asked for", () => {
  it("can be ended by a link, and by mail programs", () => {
    const { text, html, headers } = alerts(alert);
    expect(text).toContain(`\nUnsubscribe:\n${END}\n`);
    expect(html).toContain(`href="${END.replace("&", "&amp;")}">Unsubscribe</a>`);
    expect(headers).toEqual({
      "List-Unsubscribe": `<${END}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    });
  });

  it("turn nothing that others wrote into a link, a line or a tag", () => {
    const lure = "<b>x</b>\n- https://evil.example/pay\u202E";
    const emails = [
      alerts({ ...alert, name: lure }),
      renderEmail({
        ...{ ...base, kind: "waiting_questions" },
        questions: [{ text: lure, by: lure, waitingSeconds: 60 }],
        hasMore: false,
      }),
    ];
    for (const { subject, text, html } of emails) {
      for (const part of [subject, text, html])
        expect(part).not.toMatch(/evil\.example\/pay\u202E|:\/\/evil/);
      expect(text.match(/^- /gm)).toHaveLength(1);
      expect(html).not.toContain("<b>x");
    }
  });

  it.each([
    [[alert], "Alert: Slow"],
    [[{ ...alert, isFiring: false }], "Resolved: Slow"],
    [[alert, alert], "2 alerts firing"],
    [[alert, { ...alert, isFiring: false }], "1 alert firing, 1 resolved"],
    [
      [
        { ...alert, isFiring: false },
        { ...alert, isFiring: false },
      ],
      "2 alerts resolved",
    ],
    [[{ ...alert, name: "é".repeat(100) }], `Alert: ${"é".repeat(49)}…`],
  ])("say in the subject what it is: %#", (given, subject) => {
    expect(alerts(...given).subject).toBe(subject);
  });

  it("say what a rule measures, and since when", () => {
    expect(alerts(alert).text).toContain(
      "- Slow: question age is 90 s, above 60 s, since 2026-11-28 09:31 UTC.",
    );
    expect(alerts({ ...alert, value: null }).text).toContain("- Slow: question age has no data, above 60 s");
    expect(alerts({ ...alert, isFiring: false }).text).toContain("- Slow: resolved at 2026-11-28 09:31 UTC.");
  });

  it.each([
    [0, "1 minute"],
    [119 * 60, "119 minutes"],
    [2 * 3600, "2 hours"],
    [47.9 * 3600, "47 hours"],
    [48 * 3600, "2 days"],
  ])("say how long %d seconds are: %s", (seconds, said) => {
    expect(formatWait(seconds)).toBe(said);
  });
});

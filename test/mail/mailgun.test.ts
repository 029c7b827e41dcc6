import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Email } from "../../src/domain/emails/email.ts";
import { createMailgunMailer } from "../../src/mail/mailgun.ts";
import { type MailgunApi, startMailgunApi } from "../support/mailgun-api.ts";

const FROM = "Agent Ops <no-reply@mg.example.com>";
const EMAIL: Email = {
  ...{ kind: "reset_password", workspace: "Acme", name: "Ada", minutes: 60 },
  link: "https://ops.example.com/users/reset-password/abc",
};

let api: MailgunApi;

beforeAll(async () => {
  api = await startMailgunApi();
});

afterAll(() => api.close());

beforeEach(() => api.reset());

function mailer(timeoutMs?: number) {
  const { url: baseUrl } = api;
  return createMailgunMailer({ apiKey: "key-1", domain: "mg.example.com", baseUrl }, FROM, timeoutMs);
}

describe("createMailgunMailer", () => {
  it("posts an email to the domain with the key", async () => {
    await mailer().send("ada@example.com", EMAIL);
    expect(api.emails).toHaveLength(1);
    expect(api.emails[0]).toMatchObject({
      path: "/v3/mg.example.com/messages",
      authorization: `Basic ${Buffer.from("api:key-1").toString("base64")}`,
      to: "ada@example.com",
      form: { from: FROM, subject: "Set a new password" },
    });
    expect(api.emails[0]?.form["text"]).toContain(EMAIL.kind === "reset_password" ? EMAIL.link : "");
    expect(api.emails[0]?.form["html"]).toContain("<!doctype html>");
  });

  it("turns every kind of tracking off, and asks for TLS", async () => {
    await mailer().send("ada@example.com", EMAIL);
    expect(api.emails[0]?.form).toMatchObject({
      "o:tracking": "no",
      "o:tracking-clicks": "no",
      "o:tracking-opens": "no",
      "o:require-tls": "yes",
    });
  });

  it.each(["broken", "forbidden"] as const)("rejects if the provider is %s", async (answering) => {
    api.answer(answering);
    await expect(mailer().send("ada@example.com", EMAIL)).rejects.toThrow();
    expect(api.emails).toHaveLength(0);
  });

  it("rejects if the provider doesn't respond in time", async () => {
    api.answer("silent");
    await expect(mailer(100).send("ada@example.com", EMAIL)).rejects.toThrow();
  });

  it("rejects if the connection is rejected", async () => {
    const gone = await startMailgunApi();
    await gone.close();
    const nowhere = createMailgunMailer({ apiKey: "k", domain: "mg.example.com", baseUrl: gone.url }, FROM);
    await expect(nowhere.send("ada@example.com", EMAIL)).rejects.toThrow();
  });
});

import { describe, expect, it } from "vitest";
import { redact } from "../../../../src/domain/kernel/redact.ts";

describe("redact", () => {
  it.each([
    [{ token: 5 }],
    [{ eos_token: "</s>", pad_token: 0, stopToken: "x" }],
    [{ hasPassword: true, password: false, auth: true, cookie: true }],
    [{ auth: "none", credentials: "include" }],
    [{ auth: { type: "oauth", url: "https://x.org" } }],
    [{ session_tokens: 9, auth_tokens: 3, access_tokens: 2 }],
    [{ tokens: { input: 1, output: 2 } }],
    [{ tokens: "1.5" }],
    [{ tokens: "12k" }],
    [{ tokens: [1, 2] }],
    [{ page_token: "a1", nextToken: "b2", next_page_token: "c3", syncToken: "d4", continuation_token: "e5" }],
    [{ PWD: "/home/ada" }],
    [{ boarding_pass: "A12", compass: "north" }],
    [{ properties: { password: { type: "string" } } }.properties.password],
    [["--region", "eu", "--page-token", "abcd"]],
    [[{ name: "REGION", value: "eu" }]],
    [{ password: {}, secrets: [] }],
  ])("shows %j", (value) => {
    expect(redact(value)).toEqual(value);
  });

  it.each([
    [{ auth: { user: "ada", pass: "x" } }, { auth: { user: "ada", pass: "[redacted]" } }],
    [{ tokens: { access_token: "x" } }, { tokens: { access_token: "[redacted]" } }],
    [{ pin: 1234, otp: 1, cvv: 123, passcode: 9 }, hide("pin", "otp", "cvv", "passcode")],
    [{ pass: "x", cookies: { a: "b" }, db_pass: "x" }, hide("pass", "cookies", "db_pass")],
    [{ "user[password]": "x", "pass\u200bword": "y" }, hide("user[password]", "pass\u200bword")],
    [{ backend_token: "x", accountKey: "y", jwt: "z" }, hide("backend_token", "accountKey", "jwt")],
    [
      ["deploy", "--password", "x", "--token", "-v", "y"],
      ["deploy", "--password", "[redacted]", "--token", "-v", "y"],
    ],
    [
      [
        { name: "DB_PASSWORD", value: "x" },
        { name: "X-Api-Key", value: "y" },
        { key: "token", value: { stringValue: "z" } },
      ],
      [
        { name: "DB_PASSWORD", value: "[redacted]" },
        { name: "X-Api-Key", value: "[redacted]" },
        { key: "token", value: "[redacted]" },
      ],
    ],
  ])("hides what is secret in %j", (value, shown) => {
    expect(redact(value)).toEqual(shown);
  });

  it("numbers names that are the same without their secrets, and keeps those that have none", () => {
    const [one, two] = ["a1", "b2"].map((part) => `sk-${part.repeat(12)}`) as [string, string];
    const value = { [one]: 1, [two]: 2, "[redacted]": 3, "[redacted] 2": 4 };
    expect(redact(value)).toEqual({
      ...{ "[redacted]": 3, "[redacted] 2": 4, "[redacted] 3": 1, "[redacted] 4": 2 },
    });
  });
});

function hide(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, "[redacted]"]));
}

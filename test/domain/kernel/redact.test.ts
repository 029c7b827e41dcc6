import { describe, expect, it } from "vitest";
import { redact } from "../../../src/domain/kernel/redact.ts";
import { SECRETS, fillSecret } from "../../support/secrets.ts";

const JWT = `eyJ${"a".repeat(20)}.eyJ${"b".repeat(20)}.${"c".repeat(20)}`;

describe("redact", () => {
  it.each(Object.entries(SECRETS))("hides %s in texts, lists and names", (_kind, secret) => {
    const shown = JSON.stringify(redact({ a: [`before ${secret} after`], [secret]: 1, deep: { b: secret } }));
    expect(shown).toContain("[redacted]");
    expect(shown).not.toContain(fillSecret(16));
    expect(shown).not.toContain("ABCD2345");
  });

  it.each([
    ...[
      "password",
      "Password",
      "db_password",
      "passwd",
      "secret",
      "client_secret",
      "clientSecret",
      "api_key",
    ],
    ...["apiKey", "X-API-Key", "access_token", "refreshToken", "private_key", "Authorization", "Cookie"],
    ...["set-cookie", "credentials", "aws_credential", "token", "pin", "cvv"],
  ])("hides what is named %s, whatever it is", (name) => {
    for (const value of ["short", 12, { a: 1 }, ["b"]])
      expect(redact({ [name]: value })).toEqual({ [name]: "[redacted]" });
  });

  it("keeps everything else, and says that a secret is missing", () => {
    const kept = {
      ...{ amount: 900.5, currency: "EUR", flag: false, none: null, list: [1, "two", { three: 3 }] },
      ...{ tokens: 12_000, max_tokens: 5, pinned: true, secretary: "Ada", cookies_eaten: 3, key: "value" },
      ...{
        password: null,
        token: "",
        path: "/users/sk-2/agent_tokens",
        id: "01a1fc74-d013-7f55-ab86-8c10fd8552ad",
      },
    };
    expect(redact(kept)).toEqual(kept);
  });

  it("replaces what PostgreSQL can't store", () => {
    expect(redact({ a: "x\u0000y", b: "\ud800z", "c\u0000": 1 })).toEqual({
      a: "x\ufffdy",
      b: "\ufffdz",
      "c\ufffd": 1,
    });
  });

  it.each([
    [JWT, "[redacted]"],
    [`id-token-${JWT} x`, `id-token-eyJ${"a".repeat(20)}[redacted] x`],
    ["postgres://app:hunter2@db/x", "postgres://app:[redacted]@db/x"],
    ["https://x.org/?a=1&access_token=abcdefgh1&b=2", "https://x.org/?a=1&access_token=[redacted]&b=2"],
    ["Basic dXNlcjpwYXNzd29yZDEyMw==", "[redacted]"],
    ["https://x.org:8080/a@b", "https://x.org:8080/a@b"],
    ["11:30 a@b.org", "11:30 a@b.org"],
  ])("hides secrets in the text %s", (text, shown) => {
    expect(redact({ text })).toEqual({ text: shown });
  });

  it.each(["aws_secret_access_key", "githubToken", "passphrase", "Client-Secret", "api.keys", "signing key"])(
    "hides the member %s",
    (name) => {
      expect(redact({ [name]: "x" })).toEqual({ [name]: "[redacted]" });
    },
  );

  it.each(["max_tokens", "keyboard", "tokens", "secretary", "pinned"])("shows the member %s", (name) => {
    expect(redact({ [name]: 1 })).toEqual({ [name]: 1 });
  });

  it.each(["-eyJ", "eyJ.", "-SG.", "://a:", "://", "?token=", "Basic ", "-----BEGIN ", "-sk-", ".eyJ"])(
    "takes linear time for many %s",
    (part) => {
      const text = part.repeat(Math.floor(262_144 / part.length));
      expect(redact(text)).toEqual(expect.any(String));
    },
    5000,
  );
});

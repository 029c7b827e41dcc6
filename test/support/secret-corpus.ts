/** A secret in a text as it is found in the world, and the part of it that nobody may read. */
export type SecretSample = { shape: string; text: string; secret: string };

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const [DIGITS, HEX] = ["0123456789", "0123456789abcdef"];
const ALPHANUMERIC = LOWER + UPPER + DIGITS;

/** Characters that look random, and are the same in each run. */
function createFill(seed: number) {
  let state = seed;
  function next(below: number): number {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  }
  return (length: number, alphabet = ALPHANUMERIC): string => {
    const text = Array.from({ length }, () => alphabet[next(alphabet.length)]).join("");
    // Random ones of this length have a digit.
    return alphabet.includes("7") && length > 6 ? `${text.slice(0, 4)}7${text.slice(5)}` : text;
  };
}

type Fill = ReturnType<typeof createFill>;
/** Makes a secret. What is written between braces is what nobody may read; without braces, all of it. */
type Shape = (fill: Fill) => string;

function encode(text: string): string {
  return Buffer.from(text).toString("base64url");
}

function toLines(text: string): string {
  return (text.match(/.{1,64}/g) ?? []).join("\n");
}

function createPem(kind: string, fill: Fill): string {
  return `-----BEGIN ${kind}-----\n{${toLines(fill(256))}}\n-----END ${kind}-----`;
}

/** What is written apart, so that no scanner takes the whole for a real secret. */
function part(text: string): string {
  return text;
}

/** Secrets that are known by their form, wherever they are. */
const BY_FORM: Record<string, Shape> = {
  "our API key": (fill) => `${part("agk")}_${fill(16)}.${fill(49)}`,
  "our agent token": (fill) => `${part("agt")}_${fill(49)}`,
  "our socket token": (fill) => `${part("ags")}_${fill(49)}`,
  "our SCIM token": (fill) => `${part("agp")}_${fill(49)}`,
  "AWS key id": (fill) => `${part("AKIA")}${fill(16, `${UPPER}234567`)}`,
  "AWS session key id": (fill) => `${part("ASIA")}${fill(16, `${UPPER}234567`)}`,
  "Google API key": (fill) => `${part("AIza")}${fill(35)}`,
  "Google access token": (fill) => `${part("ya29")}.${fill(60)}`,
  "Google client secret": (fill) => `${part("GOCSPX")}-${fill(28)}`,
  "DigitalOcean token": (fill) => `${part("dop_v1")}_${fill(64, HEX)}`,
  "Vault token": (fill) => `${part("hvs")}.${fill(24)}`,
  "Databricks token": (fill) => `${part("dapi")}${fill(32, HEX)}`,
  "GitHub token": (fill) => `${part("ghp")}_${fill(36)}`,
  "GitHub app token": (fill) => `${part("ghs")}_${fill(36)}`,
  "fine-grained GitHub token": (fill) => `${part("github_pat")}_${fill(22)}_${fill(59)}`,
  "GitLab token": (fill) => `${part("glpat")}-${fill(20)}`,
  "Bitbucket token": (fill) => `${part("ATBB")}${fill(32)}`,
  "Atlassian token": (fill) => `${part("ATATT3")}${fill(120)}`,
  "Slack bot token": (fill) => `${part("xoxb")}-${fill(12, DIGITS)}-${fill(12, DIGITS)}-${fill(24)}`,
  "Slack app token": (fill) =>
    `${part("xapp")}-1-${fill(11, UPPER + DIGITS)}-${fill(13, DIGITS)}-${fill(64, HEX)}`,
  "Slack webhook": (fill) =>
    `https://hooks.${part("slack")}.com/services/T${fill(8)}/B${fill(8)}/{${fill(24)}}`,
  "Discord webhook": (fill) =>
    `https://discord.com/api/${part("webhooks")}/${fill(18, DIGITS)}/{${fill(68)}}`,
  "Discord bot token": (fill) => `${part("M")}${fill(23)}.${fill(6)}.${fill(38)}`,
  "Telegram bot token": (fill) => `1${fill(8, DIGITS)}:${part("AA")}{${fill(33)}}`,
  "Stripe key": (fill) => `${part("sk")}_live_${fill(24)}`,
  "restricted Stripe key": (fill) => `${part("rk")}_live_${fill(24)}`,
  "Stripe webhook secret": (fill) => `${part("whsec")}_${fill(32)}`,
  "Square token": (fill) => `${part("sq0atp")}-${fill(22)}`,
  "Shopify token": (fill) => `${part("shpat")}_${fill(32, HEX)}`,
  "OpenAI key": (fill) => `${part("sk")}-proj-${fill(48)}`,
  "older OpenAI key": (fill) => `${part("sk")}-${fill(48)}`,
  "Anthropic key": (fill) => `${part("sk")}-ant-api03-${fill(93)}`,
  "Hugging Face token": (fill) => `${part("hf")}_${fill(34)}`,
  "Groq key": (fill) => `${part("gsk")}_${fill(52)}`,
  "npm token": (fill) => `${part("npm")}_${fill(36)}`,
  "PyPI token": (fill) => `${part("pypi")}-AgEIcHlwaS5vcmc${fill(120)}`,
  "Docker Hub token": (fill) => `${part("dckr_pat")}_${fill(27)}`,
  "RubyGems key": (fill) => `${part("rubygems")}_${fill(48, HEX)}`,
  "SendGrid key": (fill) => `${part("SG")}.${fill(22)}.${fill(43)}`,
  "Linear key": (fill) => `${part("lin_api")}_${fill(40)}`,
  "Grafana token": (fill) => `${part("glsa")}_${fill(32)}_${fill(8, HEX)}`,
  "JSON web token": (fill) => `${encode('{"alg":"RS256"}')}.${encode(`{"sub":"${fill(12)}"}`)}.{${fill(43)}}`,
};

/** Secrets that are known by what stands around them. */
const BY_PLACE: Record<string, Shape> = {
  "RSA key": (fill) => createPem(`RSA ${part("PRIVATE")} KEY`, fill),
  "PKCS 8 key": (fill) => createPem(`${part("PRIVATE")} KEY`, fill),
  "OpenSSH key": (fill) => createPem(`OPENSSH ${part("PRIVATE")} KEY`, fill),
  "PGP key": (fill) => createPem(`PGP ${part("PRIVATE")} KEY BLOCK`, fill),
  "bearer header": (fill) => `Authorization: Bearer {${fill(40)}}`,
  "short bearer header": (fill) => `curl -H "Authorization: Bearer {${fill(12)}}" https://example.com`,
  "basic header": (fill) => `Authorization: Basic {${Buffer.from(`ada:${fill(14)}`).toString("base64")}}`,
  "API key header": (fill) => `curl -H 'X-Api-Key: {${fill(20)}}' https://example.com`,
  cookie: (fill) => `Cookie: session={${fill(32)}}; theme=dark`,
  "set cookie": (fill) => `Set-Cookie: sid={${fill(32)}}; Path=/; HttpOnly`,
  "PostgreSQL address": (fill) => `postgres://app:{${fill(16)}}@db.example.com:5432/app`,
  "MySQL address": (fill) => `mysql://app:{${fill(16)}}@db.example.com:3306/app`,
  "MongoDB address": (fill) => `mongodb+srv://app:{${fill(16)}}@cluster0.example.com/app`,
  "Redis address": (fill) => `redis://:{${fill(16)}}@cache.example.com:6379/0`,
  "SQL Server string": (fill) => `Server=tcp:db.example.com;User Id=app;Password={${fill(16)}};Encrypt=true`,
  "Oracle address": (fill) => `jdbc:oracle:thin:app/{${fill(16)}}@//db.example.com:1521/app`,
  "MySQL driver string": (fill) => `app:{${fill(16)}}@tcp(db.example.com:3306)/app`,
  "libpq string": (fill) => `host=db.example.com user=app password={${fill(16)}} dbname=app`,
  "Azure storage string": (fill) =>
    `DefaultEndpointsProtocol=https;AccountName=app;AccountKey={${fill(86)}}==;EndpointSuffix=core.windows.net`,
  "signed address": (fill) => `https://a.blob.core.windows.net/b?sv=2022-11-02&sig={${fill(43)}}%3D&sp=r`,
  "password in JSON": (fill) => `{"user":"ada","password":"{${fill(12)}}","port":5432}`,
  "password in JSON in a command": (fill) =>
    `curl -d '{"user":"ada","password":"{${fill(12)}}"}' https://example.com`,
  "password in YAML": (fill) => `db:\n  user: app\n  password: {${fill(12)}}\n  port: 5432`,
  "password in an environment": (fill) => `PATH=/bin\nDATABASE_PASSWORD={${fill(12)}}\nHOME=/root`,
  "AWS secret in an environment": (fill) => `export AWS_SECRET_ACCESS_KEY={${fill(40)}}`,
  "password of a program": (fill) => `deploy --region eu --db-password {${fill(12)}} --force`,
  "arguments of a program": (fill) => `["deploy","--token","{${fill(20)}}","--force"]`,
  "environment of a container": (fill) => `[{"name":"DB_PASSWORD","value":"{${fill(12)}}"}]`,
  "password of curl": (fill) => `curl -u ada:{${fill(12)}} https://example.com`,
  "password of a form": (fill) => `user[name]=ada&user[password]={${fill(12)}}`,
};

/** What names a person or a card. Only telemetry is without it: people decide about such values. */
const PERSONAL: Record<string, Shape> = {
  "email address": (fill) => `mail {${fill(8, LOWER)}.${fill(8, LOWER)}@${fill(8, LOWER)}.example} today`,
  "card number": (fill) => `card {${addCheckDigit(`4${fill(14, DIGITS)}`)}}`,
};

/** @see ISO/IEC 7812-1, annex B */
function addCheckDigit(digits: string): string {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 === 1 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

function createSamples(shapes: Record<string, Shape>, count: number, seed: number): SecretSample[] {
  return Object.entries(shapes).flatMap(([shape, make], at) =>
    Array.from({ length: count }, (_, index) => toSample(shape, make(createFill(seed + at * 100 + index)))),
  );
}

function toSample(shape: string, made: string): SecretSample {
  // The inner braces of JSON stand beside quotes.
  const secret = /\{([^{}"]{6,})\}/.exec(made)?.[1] ?? made;
  return { shape, text: made.replace(`{${secret}}`, secret), secret };
}

/** Secrets that stand alone. */
export const FORM_SAMPLES = createSamples(BY_FORM, 3, 1_000);
/** Secrets with what stands around them. */
export const PLACE_SAMPLES = createSamples(BY_PLACE, 3, 20_000);
export const PERSONAL_SAMPLES = createSamples(PERSONAL, 3, 40_000);

/** Texts that look a little like secrets. */
export const HARMLESS: readonly string[] = [
  ...["01a1fc74-d013-7f55-ab86-8c10fd8552ad", "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"],
  ...["067c8159", "067c81594f1a2b3c4d5e6f708192a3b4c5d6e7f8", "sha256:9f86d081884c7d659a2feaa0c55ad015"],
  ...["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "d41d8cd98f00b204e9800998ecf8427e"],
  ...["sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="],
  ...[
    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    "req_011CSHoEeqs5C35K2UUqR7Fy",
    "msg_01XFDUDYJgAACzvnptvVoYEL",
  ],
  ...[
    "call_abc123DEF456ghi789",
    "toolu_01A09q90qw90lq917835lq9",
    "chatcmpl-9nKZV0PZqzvFc2LrS6uJ",
    "ch_3MmlLrLkdIwHu7ix0snN0B15",
  ],
  ...[
    "cus_NffrFeUfNV2Hib",
    "re_3Q",
    "pi_3MtwBwLkdIwHu7ix28a3tqPa",
    "arn:aws:iam::123456789012:role/deploy",
    "i-0abcd1234efgh5678",
  ],
  ...[
    "max_tokens=500",
    "tokens: 12000",
    "input_tokens=120 output_tokens=7",
    "1,234 tokens of 200k",
    "total_tokens: 127",
  ],
  ...[
    "next_page_token=CAoQAA23",
    "eos_token: </s>",
    "pad_token=0",
    "nextToken: abcd1234efgh",
    "stop_token=END1",
  ],
  ...[
    "http://localhost:8080/health",
    "https://example.com:8443/a/b?page=2&limit=50",
    "https://example.com/@ada/posts/42",
  ],
  ...[
    "postgres://db.example.com:5432/app",
    "redis://cache:6379",
    "git@github.com:acme/app.git",
    "ssh://git@example.com:22/app.git",
  ],
  ...[
    "https://host:8443?notify=a",
    "tcp://10.0.0.1:2375",
    "127.0.0.1:5432",
    "[::1]:8080",
    "s3://bucket/key/of/file.txt",
  ],
  ...[
    "The token was spent; ask for another one.",
    "Enter the password: it is required.",
    "authorization: required for this",
  ],
  ...[
    "Basic authentication is required here",
    "Bearer tokens are checked first",
    "The secret of good tea",
    "a key question",
  ],
  ...[
    "sk-learn-tutorials-and-examples",
    "risk-of-flooding-in-the-northern-districts",
    "task-4711",
    "npm run build",
    "hf_internal-testing",
  ],
  ...[
    "git push -u origin:main",
    "docker run --user 1000:1000 -p 8080:80 nginx",
    "rm -rf / # PRIVATE KEY-----",
  ],
  ...[
    "grep -rn 'password' src | head",
    "kubectl get secret -n prod",
    "ls -la /etc/ssl/private",
    "ssh-keygen -t ed25519 -f key",
  ],
  ...[
    "echo authorization: ok; ls",
    "password=${PASSWORD}",
    "export TOKEN=$(read_token)",
    "const token = await readToken(headers);",
  ],
  ...[
    "type Login = { password: string; token?: string }",
    "- password: required",
    "2026-11-27T16:06:58.123Z",
    "1795345643688000000",
  ],
  ...[
    "+49 30 1234567",
    "DE89 3704 0044 0532 0130 00",
    "4111111111111112",
    "eyJhbGciOi",
    "v1.2.3-rc.4+build.5",
    "PWD=/home/ada",
  ],
  ...[
    "application/vnd.api+json; charset=utf-8",
    "claude-opus-4-8[1m]",
    "gpt-5.5-2026-01-01",
    "text-embedding-3-small",
  ],
];

/** What is looked for of each secret, with its shape: its end, so that what is left of one that was cut is found too. */
export function toNeedles(samples: readonly SecretSample[]): Map<string, string> {
  return new Map(samples.map(({ secret, shape }) => [secret.trimEnd().slice(-12), shape]));
}

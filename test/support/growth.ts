import type { RawRequest } from "./raw-request.ts";

/** A request of about this many characters that is as expensive as possible. */
export type Grown = { name: string; most: number; request: (size: number) => RawRequest };

/** Repeats a text up to about this many characters. */
export function fill(text: string, size: number): string {
  return text.repeat(Math.max(1, Math.floor(size / text.length)));
}

/** The maximum size of headers and URLs: Node accepts 16 KiB of headers, we accept 8,192 characters of a URL. */
const TARGET = 8000;
const HEADER = 14_000;
const BODY = 400_000;

const PATHS = [
  "%2f",
  "/",
  "/users",
  "/users%2f",
  "%2fusers/a/",
  "%25",
  "/%",
  "agk_a.",
  "a".repeat(50),
  "/./",
  "/../",
];
const QUERIES = [
  "a=1&",
  "limit=1&",
  "&",
  "=",
  "%",
  "+",
  "label=a%3Db&",
  "status=pending&",
  "after=AAAA",
  "search=a%20",
];

/** URLs. */
export const TARGETS: Grown[] = [
  ...PATHS.flatMap((part) =>
    ["/", "/users", "/scim/v2/Users/", "/api/v1/tasks/"].map((before) =>
      grownPath(`path ${before} and ${part.slice(0, 12)}`, (size) => before + fill(part, size)),
    ),
  ),
  ...QUERIES.flatMap((part) =>
    ["/api/v1/tasks", "/api/v1/events", "/scim/v2/Users", "/users/log-in", "/graphql"].map((path) =>
      grownPath(`${path}?${part}`, (size) => `${path}?${fill(part, size)}`),
    ),
  ),
  ...[
    "cursor",
    "after",
    "search",
    "label",
    "status",
    "filter",
    "sortBy",
    "attributes",
    "query",
    "variables",
  ].flatMap((name) =>
    ["a", "a.", "%28", "%22", "a,", "[", "{", "%5C", "-1"].map((part) =>
      grownPath(`${name} of ${part}`, (size) => {
        const path = ["filter", "sortBy", "attributes"].includes(name) ? "/scim/v2/Users" : "/api/v1/tasks";
        return `${name === "query" || name === "variables" ? "/graphql" : path}?${name}=${fill(part, size)}`;
      }),
    ),
  ),
];

/** Headers that could make their parser slow. */
export const HEADERS: Grown[] = (
  [
    ["cookie", ["a=b;", ";", "=", "_agent_ops_key=;", `_agent_ops_key=${"a".repeat(43)};`, " "]],
    ["accept", ["text/html,", ",", ";q=0.1", "*/*,", " ", "multipart/", "event-stream"]],
    ["content-type", ["application/json;", ";", " ", "multipart/form-data; boundary=a", "a"]],
    ["authorization", ["Bearer ", "Bearer a,", ",", " ", "bearer\t"]],
    ["x-forwarded-for", ["127.0.0.1,", ",", ":", "[", "::ffff:", "1.", " "]],
    ["if-none-match", ['"a",', "W/", '"', ",", "*"]],
    ["if-match", ['"1",', "W/", " ", '"']],
    ["idempotency-key", ["a", " "]],
    ["traceparent", ["00-", "0", "-"]],
    ["x-request-id", ["a", ".", "-"]],
    ["user-agent", ["Version/1", "Safari/", "Chrome/1 ", "("]],
    ["accept-encoding", ["gzip,", "gzip", " "]],
    ["host", ["a.", "a", ":1", "["]],
    ["origin", ["http://a", "/"]],
    ["content-encoding", ["gzip,", " "]],
  ] satisfies [string, string[]][]
).flatMap(([name, parts]) =>
  parts.map((part) => ({
    name: `${name} of ${JSON.stringify(part.slice(0, 20))}`,
    most: HEADER,
    request: (size: number) => ({
      ...{ method: "POST", path: "/graphql", body: '{"query":"{__typename}"}' },
      headers: { "content-type": "application/json", [name]: fill(part, size) },
    }),
  })),
);

const TEXTS = [
  "a",
  "\\",
  '"',
  "\\u0061",
  "\u200c",
  "😀",
  "e\u0301",
  " ",
  "\n",
  "0",
  "%",
  "_",
  "$",
  "a=b,",
  "http://a",
];

/** JSON bodies. */
export const BODIES: Grown[] = [
  ...TEXTS.flatMap((part) => [
    createPost(`title of ${part}`, "/api/v1/tasks", (size) => ({ title: fill(part, size) })),
    createPost(`metadata of ${part}`, "/api/v1/tasks", (size) => ({
      title: "a",
      metadata: { a: fill(part, size) },
    })),
    createPost(`userName of ${part}`, "/scim/v2/Users", (size) => ({
      schemas: [USER],
      userName: fill(part, size),
    })),
  ]),
  ...(["/api/v1/tasks", "/api/v1/messages", "/scim/v2/Users", "/graphql"] as const).flatMap((path) => [
    createWrite(
      `${path}: lists in lists`,
      path,
      (size) => `{"title":"a","input":${buildNested("[", "]", size)}}`,
    ),
    createWrite(
      `${path}: objects in objects`,
      path,
      (size) => `{"metadata":${buildNested('{"a":', "1}", size)}}`,
    ),
    createWrite(`${path}: empty objects`, path, (size) => `{"title":"a","input":[${fill("{},", size)}{}]}`),
    createWrite(`${path}: open lists`, path, (size) => fill("[", size)),
    createWrite(`${path}: many members`, path, (size) => buildMembers(size, "")),
    createWrite(
      `${path}: many metadata`,
      path,
      (size) => `{"title":"a","metadata":${buildMembers(size, "m")}}`,
    ),
    createWrite(`${path}: many labels`, path, (size) => `{"title":"a","labels":${buildMembers(size, "l")}}`),
    createWrite(`${path}: many digits`, path, (size) => `{"priority":${fill("1", size)}}`),
  ]),
  createWrite("wrong scopes", "/api/v1/socket_tokens", (size) => `{"scopes":[${fill("0,", size)}0]}`),
  createPost("filter of search", "/scim/v2/Users/.search", (size) => ({
    schemas: ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"],
    filter: fill('userName eq "a" and ', size),
  })),
  ...["not (", "(", '"', '\\"', "a.", "a[", "a eq 1 or ", "]", " "].map((part) =>
    createPost(`filter of ${part}`, "/scim/v2/Users/.search", (size) => ({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"],
      filter: fill(part, size),
    })),
  ),
];

/** GraphQL documents and their variables. */
export const DOCUMENTS: Grown[] = [
  ...["#\n", ",", " ", "\ufeff", "a", '"', '"""', "\\", "{", "$", "...", "@"].map((part) =>
    document(JSON.stringify(part), (size) => `{ viewer { scopes } ${fill(part, size)} }`),
  ),
  document("one name", (size) => `{ ${fill("a", size)} }`),
  document("one text", (size) => `{ task(uuid: "${fill("a", size)}") { uuid } }`),
  document("lines of a block", (size) => `{ task(uuid: """${fill("\n a", size)}""") { uuid } }`),
  document("one field again", (size) => `{ viewer { ${fill("scopes ", size)} } }`),
  document("one field with arguments", (size) => `{ ${fill("tasks(first:1){__typename} ", size)} }`),
  document("fragments of all", (size) => fragments(Math.floor(size / 60))),
  document("aliases of the schema", (size) => buildAliased("__schema { types { name } }", size)),
  document("aliases of a list", (size) => buildAliased("tasks { nodes { uuid } }", size)),
  document(
    "unknown fields",
    (size) => `{ ${Array.from({ length: size / 8 }, (_, at) => `taskz${at}`).join(" ")} }`,
  ),
  createWrite(
    "variables in variables",
    "/graphql",
    (size) => `{"query":"query($a:JSON){viewer{scopes}}","variables":{"a":${buildNested("[", "]", size)}}}`,
  ),
  createWrite("one variable in many fields", "/graphql", (size) => {
    const fields = Array.from({ length: 100 }, (_, at) => `a${at}:tasks(first:0,filter:$f){totalCount}`);
    const query = `query($f:TaskFilter){${fields.join(" ")}}`;
    return `{"query":"${query}","variables":{"f":{"labels":${buildMembers(size, "k")}}}}`;
  }),
  createWrite(
    "one long list as variable",
    "/graphql",
    (size) =>
      `{"query":"mutation($i:CreateTaskInput!){createTask(input:$i){clientMutationId}}","variables":{"i":{"title":"a","input":[${fill("1,", size)}1]}}}`,
  ),
  createWrite(
    "many variables",
    "/graphql",
    (size) => `{"query":"{viewer{scopes}}","variables":${buildMembers(size, "v")}}`,
  ),
];

/** Forms. */
export const FORMS: Grown[] = ["a=b&", "user[email]=a&", "&", "=", "%", "%2", "+", "[", "]"].map((part) => ({
  name: `form of ${part}`,
  most: BODY,
  request: (size) => ({
    ...{ method: "POST", path: "/users/log-in", body: fill(part, size) },
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
}));

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";

function grownPath(name: string, path: (size: number) => string): Grown {
  return { name, most: TARGET, request: (size) => ({ path: path(size) }) };
}

function createPost(name: string, path: string, body: (size: number) => unknown): Grown {
  return createWrite(`${path}: ${name}`, path, (size) => JSON.stringify(body(size)));
}

function createWrite(name: string, path: string, body: (size: number) => string): Grown {
  const type = path.startsWith("/scim") ? "application/scim+json" : "application/json";
  return {
    ...{ name, most: BODY },
    request: (size) => ({ method: "POST", path, body: body(size), headers: { "content-type": type } }),
  };
}

function document(name: string, query: (size: number) => string): Grown {
  return createWrite(`document of ${name}`, "/graphql", (size) => JSON.stringify({ query: query(size) }));
}

function buildNested(open: string, close: string, size: number): string {
  const depth = Math.floor(size / (open.length + close.length));
  return open.repeat(depth) + close.repeat(depth);
}

function buildMembers(size: number, prefix: string): string {
  return `{${Array.from({ length: Math.floor(size / 12) }, (_, at) => `"${prefix}${at}":"a"`).join(",")}}`;
}

function fragments(count: number): string {
  const spreads = Array.from({ length: count }, (_, at) => `...F${at}`).join(" ");
  const each = Array.from(
    { length: count },
    (_, at) => `fragment F${at} on Query { ...F${(at + 1) % count} }`,
  );
  return `{ ${spreads} } ${each.join(" ")}`;
}

function buildAliased(field: string, size: number): string {
  return `{ ${Array.from({ length: Math.floor(size / (field.length + 6)) }, (_, at) => `a${at}: ${field}`).join(" ")} }`;
}

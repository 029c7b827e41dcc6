/** A response with its body parsed as JSON, or null. Each test knows its content. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers that only they know
export type TestAnswer = { status: number; headers: Headers; text: string; body: any };

/** Options of a request. */
export type SentRequest = {
  method?: string;
  /** Sent as JSON. A string is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
};

/** Sends requests with one bearer, or none. */
export type TestClient = {
  get: (path: string, headers?: Record<string, string>) => Promise<TestAnswer>;
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<TestAnswer>;
  delete: (path: string) => Promise<TestAnswer>;
  send: (path: string, sent: SentRequest) => Promise<TestAnswer>;
  /** POST /graphql. */
  graphql: (query: string, variables?: Record<string, unknown>) => Promise<TestAnswer>;
};

/** Creates a client of a server. `always` are headers of every request, such as a browser's cookies. */
export function createTestClient(
  url: string,
  bearer?: string,
  always: Record<string, string> = {},
): TestClient {
  const send = async (
    path: string,
    { method = "GET", body, headers = {} }: SentRequest,
  ): Promise<TestAnswer> => {
    const hasBody = body !== undefined;
    const response = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(hasBody && { "content-type": "application/json" }),
        ...always,
        ...headers,
      },
      ...(hasBody && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  };
  return {
    send,
    get: (path, headers = {}) => send(path, { headers }),
    post: (path, body, headers = {}) => send(path, { method: "POST", body, headers }),
    delete: (path) => send(path, { method: "DELETE" }),
    graphql: (query, variables = {}) => send("/graphql", { method: "POST", body: { query, variables } }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

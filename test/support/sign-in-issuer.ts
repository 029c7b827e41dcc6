import { type KeyObject, createHash, generateKeyPairSync, sign } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";

type Json = Record<string, unknown>;
type Key = { kid: string; privateKey: KeyObject; publicKey: KeyObject };

/** A provider that does as it is told, right or wrong. */
export type SignInIssuer = {
  url: string;
  /** Claims of the person who signs in next. */
  person: Json;
  /** Changes what it answers. */
  wrong: {
    metadata?: Json;
    claims?: Json;
    header?: Json;
    /** Added to the query of the redirect; null removes. */
    redirect?: Record<string, string | null>;
    isDown?: boolean;
    inUserinfo?: boolean;
  };
  /** Requests by path. */
  requests: string[];
  /** The last authorization request. */
  asked: URLSearchParams;
  rotateKey: () => void;
  /** Signs a logout token of a person. Undefined claims are left out. */
  createLogoutToken: (claims: Json, header?: Json) => string;
  close: () => Promise<void>;
};

const CLIENT = { id: "agent-ops", secret: "test-secret" };
export const TEST_CLIENT = { clientId: CLIENT.id, clientSecret: CLIENT.secret };

/** Says that somebody has logged out. */
const LOGOUT = { "http://schemas.openid.net/event/backchannel-logout": {} };

let made = 0;

function createKey(): Key {
  return { kid: `key-${made++}`, ...generateKeyPairSync("rsa", { modulusLength: 2048 }) };
}

/** Starts a provider that signs everybody in without asking. */
export async function startSignInIssuer(): Promise<SignInIssuer> {
  let key = createKey();
  const codes = new Map<string, URLSearchParams>();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const issuer: SignInIssuer = {
    ...{ url, person: {}, wrong: {}, requests: [], asked: new URLSearchParams() },
    rotateKey: () => void (key = createKey()),
    createLogoutToken: (claims, header = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: url, aud: CLIENT.id, iat: now, exp: now + 120, jti: `${made++}`, events: LOGOUT };
      return signToken(key, { ...usual, ...claims }, { typ: "logout+jwt", ...header });
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "", url);
    issuer.requests.push(pathname);
    if (issuer.wrong.isDown === true) return void response.writeHead(503).end("<script>down</script>");
    if (pathname === "/authorize") {
      issuer.asked = searchParams;
      return void response.writeHead(303, { location: redirect(issuer, codes) }).end();
    }
    const [status, body] = await answerJson(pathname, request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  async function answerJson(path: string, request: IncomingMessage): Promise<[number, Json]> {
    if (path === "/.well-known/openid-configuration")
      return [200, { ...describe(url), ...issuer.wrong.metadata }];
    if (path === "/jwks") {
      return [200, { keys: [{ ...key.publicKey.export({ format: "jwk" }), kid: key.kid, use: "sig" }] }];
    }
    if (path === "/userinfo") return [200, issuer.person];
    const form = new URLSearchParams(await text(request));
    const asked = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (
      asked?.get("code_challenge") !== challenge ||
      readBasic(request) !== `${CLIENT.id}:${CLIENT.secret}`
    ) {
      return [400, { error: "invalid_grant" }];
    }
    return [200, { access_token: "x", token_type: "Bearer", id_token: createIdToken(issuer, key, asked) }];
  }
  return issuer;
}

/** @see https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1 */
function readBasic({ headers }: IncomingMessage): string {
  const encoded = (headers.authorization ?? "").replace(/^Basic /, "");
  return Buffer.from(encoded, "base64").toString().split(":").map(decodeURIComponent).join(":");
}

function describe(url: string): Json {
  return {
    issuer: url,
    ...{ authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` },
    ...{ jwks_uri: `${url}/jwks`, userinfo_endpoint: `${url}/userinfo` },
    authorization_response_iss_parameter_supported: true,
    id_token_signing_alg_values_supported: ["RS256", "none"],
    code_challenge_methods_supported: ["S256"],
  };
}

function redirect({ url, asked, wrong }: SignInIssuer, codes: Map<string, URLSearchParams>): string {
  const back = new URL(asked.get("redirect_uri") ?? "");
  const code = `code-${made++}`;
  codes.set(code, asked);
  const query = { code, state: asked.get("state"), iss: url, ...wrong.redirect };
  for (const [name, value] of Object.entries(query)) if (value !== null) back.searchParams.set(name, value);
  return back.href;
}

function createIdToken({ url, person, wrong }: SignInIssuer, key: Key, asked: URLSearchParams): string {
  const now = Math.floor(Date.now() / 1000);
  const { sub, ...profile } = person;
  const claims = {
    ...{ iss: url, aud: asked.get("client_id"), sub, nonce: asked.get("nonce"), iat: now, exp: now + 300 },
    auth_time: now,
    ...(wrong.inUserinfo !== true && profile),
    ...wrong.claims,
  };
  return signToken(key, claims, wrong.header);
}

function signToken(key: Key, claims: Json, changes: Json = {}): string {
  const header = { alg: "RS256", kid: key.kid, ...changes };
  const signed = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  if (header.alg === "none") return `${signed}.`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key.privateKey).toString("base64url")}`;
}

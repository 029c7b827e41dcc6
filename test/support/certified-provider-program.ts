/** The certified OpenID provider of npm, as a program: prints its URL. Its arguments are those of {@link Options}. */
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { once } from "node:events";
import Provider from "oidc-provider";
import { TEST_CLIENT } from "./sign-in-issuer.ts";

type Options = {
  /** The server's own URL. */
  site: string;
  /** The address of everybody who signs in. */
  email: string;
};

/** Starts a provider that asks people to press a button, and tells the site who logs out. @returns its URL. */
async function start({ site, email }: Options): Promise<string> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const provider = new Provider(url, {
    clients: [
      {
        client_id: TEST_CLIENT.clientId,
        client_secret: TEST_CLIENT.clientSecret,
        redirect_uris: [`${site}/users/log-in/provider/callback`],
        post_logout_redirect_uris: [`${site}/users/log-in/provider/logged-out`],
        backchannel_logout_uri: `${site}/users/log-in/provider/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => {
          ctx.body = `<!doctype html><title>Provider</title>${form}${LOG_OUT}`;
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.body = "<!doctype html><title>Provider</title>";
        },
      },
    },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ sub, email, email_verified: true }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    cookies: { keys: ["a key of a test"] },
  });
  const handle = provider.callback();
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url?.startsWith("/interaction/") !== true) await handle(request, response);
    else if (request.method === "POST") await finish(provider, request, response);
    else response.writeHead(200, { "content-type": "text/html" }).end(PAGE);
  }
  server.on("request", (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return url;
}

const LOG_OUT = `<button form="op.logoutForm" name="logout" value="yes">Log out here</button>`;
const PAGE = `<!doctype html><title>Provider</title><form method="post"><button>I am Ada</button></form>`;

async function finish(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: "ada", clientId: String(params["client_id"]) });
  grant.addOIDCScope("openid email profile");
  const consent = { grantId: await grant.save() };
  const result = { login: { accountId: "ada" }, consent };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

const [site = "", email = ""] = process.argv.slice(2);
process.stdout.write(`${await start({ site, email })}\n`);

import type { Context } from "hono";
import type { HttpEnv } from "../../http/request.ts";
import { answerPage } from "../http/answer.ts";
import { PASSKEY_POLICY } from "../http/secure-headers.ts";
import { type CeremonyProps, ceremonyView } from "./view.ts";

/** Responds with the page on which a browser makes or uses a passkey: the only one with a script. */
export function answerCeremony<Env extends HttpEnv>(c: Context<Env>, props: CeremonyProps): Response {
  c.header("content-security-policy", PASSKEY_POLICY);
  return answerPage(c, ceremonyView(props));
}

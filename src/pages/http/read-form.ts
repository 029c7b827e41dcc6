import type { Context, MiddlewareHandler } from "hono";
import { DomainError, createBodyError } from "../../domain/kernel/errors.ts";
import type { HoldBody } from "../../http/held-bodies.ts";
import { limitBody } from "../../http/limit-body.ts";
import type { HttpEnv } from "../../http/request.ts";
import { getMediaType } from "../../http/request-body.ts";

/** What a form has sent, by the names of its fields: `user[email]` and `email` are one. */
export type SubmittedForm = {
  /** The last value of the name; "" where there is none. */
  one: (name: string) => string;
  all: (name: string) => string[];
};

const FORM_TYPE = "application/x-www-form-urlencoded";
const FORM_BYTES = 16_384;

/** Refuses bodies that no form of ours can have. */
export function limitForm(holdBody: HoldBody): MiddlewareHandler<HttpEnv> {
  return limitBody({
    maxBytes: FORM_BYTES,
    holdBody,
    getHolder: (c) => c.get("ip") ?? "",
    refuse: (why) => {
      throw createBodyError(why, FORM_BYTES);
    },
  });
}

/**
 * Reads the form that a request carries; one without a body has sent nothing.
 *
 * @throws {DomainError} unsupported_media_type for anything but an urlencoded form.
 */
export async function readForm<Env extends HttpEnv>(c: Context<Env>): Promise<SubmittedForm> {
  const type = getMediaType(c);
  const body = await c.req.text();
  if (type !== FORM_TYPE && (type !== "" || body !== "")) {
    throw new DomainError("unsupported_media_type", `A form must be sent as ${FORM_TYPE}.`);
  }
  const sent = [...new URLSearchParams(body)].map(([name, value]) => [fieldName(name), value]);
  const values = new URLSearchParams(sent);
  return {
    all: (name) => values.getAll(name),
    one: (name) => values.getAll(name).at(-1) ?? "",
  };
}

/** `user[email]` is email, `scopes[]` is scopes. */
function fieldName(name: string): string {
  return /^[a-z_]+\[([a-z_]+)\]$/.exec(name)?.[1] ?? name.replace(/\[\]$/, "");
}

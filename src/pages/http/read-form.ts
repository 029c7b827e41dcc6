import type { Context, MiddlewareHandler } from "hono";
import { DomainError, createBodyError } from "../../domain/kernel/errors.ts";
import type { HoldBody } from "../../http/held-bodies.ts";
import { limitBody } from "../../http/limit-body.ts";
import type { HttpEnv } from "../../http/request.ts";
import { getMediaType } from "../../http/request-body.ts";

/** Submitted form fields by name. `user[email]` and `email` are the same field. */
export type SubmittedForm = {
  /** The last value of the field, or "". */
  one: (name: string) => string;
  all: (name: string) => string[];
};

const FORM_TYPE = "application/x-www-form-urlencoded";
const FORM_BYTES = 16_384;

/** Rejects bodies larger than any of our forms. */
export function limitForm(holdBody: HoldBody): MiddlewareHandler<HttpEnv> {
  return limitBody({
    maxBytes: FORM_BYTES,
    holdBody,
    getHolder: (c) => c.get("ip") ?? "",
    createError: createBodyError,
  });
}

/**
 * Parses the submitted form. A missing body counts as an empty form.
 *
 * @throws {DomainError} unsupported_media_type unless it is urlencoded.
 */
export async function readForm<Env extends HttpEnv>(c: Context<Env>): Promise<SubmittedForm> {
  const type = getMediaType(c);
  const body = await c.req.text();
  if (type !== FORM_TYPE && (type !== "" || body !== "")) {
    throw new DomainError("unsupported_media_type", `The form must be sent as ${FORM_TYPE}.`);
  }
  const sent = [...new URLSearchParams(body)].map(([name, value]) => [fieldName(name), value]);
  const values = new URLSearchParams(sent);
  return {
    all: (name) => values.getAll(name),
    one: (name) => values.getAll(name).at(-1) ?? "",
  };
}

/** Converts `user[email]` to `email` and `scopes[]` to `scopes`. */
function fieldName(name: string): string {
  return /^[a-z_]+\[([a-z_]+)\]$/.exec(name)?.[1] ?? name.replace(/\[\]$/, "");
}

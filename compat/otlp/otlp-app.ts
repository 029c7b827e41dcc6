import type { Context, Hono } from "hono";
import type { AuthServices } from "../../src/auth/authenticate.ts";
import type { Ctx } from "../../src/domain/kernel/context.ts";
import { DomainError } from "../../src/domain/kernel/errors.ts";
import type { RateLimit } from "../../src/http/rate-limit.ts";
import type { HttpEnv } from "../../src/http/request.ts";
import { getMediaType } from "../../src/http/request-body.ts";
import type { Encoding } from "./decode.ts";

/** Hono environment of the OTLP routes. */
export type OtlpEnv = { Bindings: HttpEnv["Bindings"]; Variables: HttpEnv["Variables"] & { ctx: Ctx } };

export type OtlpServices = AuthServices & { rateLimit: RateLimit };

export type OtlpApp = Hono<OtlpEnv>;

export const MEDIA_TYPES: Record<Encoding, string> = {
  json: "application/json",
  protobuf: "application/x-protobuf",
};

/** The encoding of a request's body, and so of its answer. @throws {DomainError} unsupported_media_type. */
export function readEncoding(c: Context<OtlpEnv>): Encoding {
  const type = getMediaType(c);
  if (type === MEDIA_TYPES.protobuf) return "protobuf";
  if (type === MEDIA_TYPES.json) return "json";
  throw new DomainError(
    "unsupported_media_type",
    "The Content-Type must be application/x-protobuf or application/json.",
  );
}

/** Whether a body is compressed with gzip. @throws {DomainError} unsupported_media_type. */
export function readIsGzip(c: Context<OtlpEnv>): boolean {
  const encoding = (c.req.header("content-encoding") ?? "identity").trim().toLowerCase();
  if (encoding === "gzip") return true;
  if (encoding === "identity") return false;
  throw new DomainError(
    "unsupported_media_type",
    "The Content-Encoding must be gzip, or there must be none.",
  );
}

import type { HonoRequest } from "hono";

type Incoming = { req: HonoRequest };

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Whether a request's body is compressed, which none of ours may be. */
export function isCompressed(c: Incoming): boolean {
  return (c.req.header("content-encoding") ?? "identity").toLowerCase() !== "identity";
}

/** The media type of a request's body in lower case, without its parameters; empty where none is named. */
export function getMediaType(c: Incoming): string {
  return (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** A body as text, or null for what is not UTF-8: it would become other text. @see RFC 8259, 8.1. */
export function decodeUtf8(bytes: ArrayBuffer): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}

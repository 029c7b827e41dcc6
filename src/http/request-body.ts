import type { HonoRequest } from "hono";

type Incoming = { req: HonoRequest };

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Whether the body is compressed, which we don't support. */
export function isCompressed(c: Incoming): boolean {
  return (c.req.header("content-encoding") ?? "identity").toLowerCase() !== "identity";
}

/** Returns the body's media type in lower case, without parameters. Empty if there is none. */
export function getMediaType(c: Incoming): string {
  return (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Decodes a body, or returns null if it is not valid UTF-8. @see RFC 8259, 8.1. */
export function decodeUtf8(bytes: ArrayBuffer): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}

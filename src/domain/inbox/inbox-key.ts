import { z } from "zod";

const KEY = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?: \d{1,9} \d{1,9})?$/;

/** The key of an inbox item: an id, and of an MCP server how many tools are new and how many changed. */
export const inboxItem = z.object({
  key: z.string().regex(KEY, "must be a lowercase UUID, for an MCP server with two numbers of tools"),
});

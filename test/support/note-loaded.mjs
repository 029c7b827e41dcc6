import { appendFileSync } from "node:fs";

/**
 * A module hook of Node: notes the address of whatever is loaded in the file that LOADED_MODULES names.
 * @type {import("node:module").LoadHook}
 */
export async function load(url, context, nextLoad) {
  appendFileSync(process.env.LOADED_MODULES ?? "", `${url}\n`);
  return nextLoad(url, context);
}

import { demoJson } from "../demo/demo-file.ts";
import { demoLines } from "../demo/demo-lines.ts";
import { fillDemo } from "../demo/fill-demo.ts";
import type { Operation } from "../run-command.ts";
import type { Answer } from "../terminal.ts";

/** Fills the demo workspace, or goes on with it. */
export async function demo({ services, config, log, signal }: Operation): Promise<Answer> {
  const { dataDir } = config;
  const credentials = await fillDemo(services, { log, dataDir, signal });
  const baseUrl = config.publicBaseUrl ?? `http://${config.host}:${config.port}`;
  return { json: demoJson(credentials), lines: demoLines(credentials, { baseUrl, dataDir }) };
}

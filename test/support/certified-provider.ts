import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** The certified OpenID provider of npm, in a process of its own. */
export type CertifiedProvider = { url: string; close: () => Promise<void> };

const PROGRAM = fileURLToPath(new URL("certified-provider-program.ts", import.meta.url));

/**
 * Starts a provider that asks people to press a button, and tells the site who logs out.
 *
 * @param asked the server's own URL, and the address of everybody who signs in.
 */
export async function startCertifiedProvider(asked: {
  site: string;
  email: string;
}): Promise<CertifiedProvider> {
  const child = spawn(process.execPath, ["--import", "tsx", PROGRAM, asked.site, asked.email], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exited = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout })) {
    // What it says before is not for us.
    if (!line.startsWith("http:")) continue;
    return {
      url: line,
      close: async () => {
        child.kill();
        await exited;
      },
    };
  }
  throw new Error(`the provider ended: ${String(await exited)}`);
}

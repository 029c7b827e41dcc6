import { createClient } from "../../src/client/client.ts";

/** The program's options, as JSON in its only argument. */
export type Asking = { url: string; token: string; handle: string };

/** Requests its identity three times, and prints how many tokens it has minted. */
async function main({ url, token, handle }: Asking): Promise<void> {
  let mints = 0;
  const client = createClient({
    ...{ url, token, agent: { handle } },
    fetch: (input, init) => {
      if (new URL(input instanceof Request ? input.url : input).pathname.endsWith("/agent_tokens")) mints++;
      return fetch(input, init);
    },
  });
  for (let request = 0; request < 3; request++) await client.send("GET /whoami", {});
  process.stdout.write(String(mints));
}

// Written by the test that starts it.
await main(JSON.parse(process.argv[2] ?? "") as Asking);

import type { Context } from "hono";
import type { RestEnv } from "./rest-app.ts";

/**
 * Takes the next chunk when the client has taken the one before it. After an error the response can only be cut
 * off, because its status was sent.
 */
export function streamChunks(
  c: Context<RestEnv>,
  chunks: AsyncGenerator<Uint8Array, void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const result = await chunks.next();
          if (result.done !== true) return controller.enqueue(result.value);
        } catch (error) {
          c.get("log").warn({ err: error }, "a list could not be completed");
          c.env.outgoing.destroy();
        }
        controller.close();
      },
      cancel: async () => {
        await chunks.return();
      },
    },
    { highWaterMark: 0 },
  );
}

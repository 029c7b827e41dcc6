import { randomBytes } from "node:crypto";
import type { Database } from "../../db/client.ts";
import type { ClientStates } from "../../domain/kernel/client-states.ts";
import { type SealedBox, createSealedBox } from "./sealed-box.ts";

const PREFIX = "v1.";

/**
 * Seals states with a key that is kept in the database, so that all nodes have it without a setting.
 *
 * @param now PostgreSQL's time.
 */
export function createClientStates({ prisma }: Pick<Database, "prisma">, now: () => Date): ClientStates {
  let opened: Promise<SealedBox> | null = null;

  async function getBox(): Promise<SealedBox> {
    opened ??= readKey(prisma).then((key) => createSealedBox([key]));
    try {
      return await opened;
    } catch (error) {
      opened = null;
      throw error;
    }
  }

  return {
    seal: async (state, { binding, seconds }) => {
      const until = now().getTime() + seconds * 1000;
      const sealed = (await getBox()).seal(JSON.stringify({ until, state }), binding);
      return PREFIX + Buffer.from(sealed).toString("base64url");
    },
    open: async (text, binding) => {
      if (!text.startsWith(PREFIX)) return null;
      const json = (await getBox()).open(Buffer.from(text.slice(PREFIX.length), "base64url"), binding);
      if (json === null) return null;
      // Only `seal` can have written it.
      const { until, state } = JSON.parse(json) as { until: number; state: object };
      return until > now().getTime() ? state : null;
    },
  };
}

const ID = 1;

/** Reads the key. The first node that needs it makes it. */
async function readKey({ clientStateKey }: Database["prisma"]): Promise<Buffer> {
  const known = await clientStateKey.findUnique({ where: { id: ID } });
  if (known !== null) return Buffer.from(known.key);
  const row = { id: ID, key: new Uint8Array(randomBytes(32)) };
  await clientStateKey.createMany({ data: [row], skipDuplicates: true });
  return Buffer.from((await clientStateKey.findUniqueOrThrow({ where: { id: ID } })).key);
}

import type { Statement } from "../../src/db/sql.ts";
import type { TestServer } from "./server.ts";

/** A server's services, of which one kind of read can be made to fail. */
export type FailingReads = Pick<TestServer, "services" | "systemCtx"> & {
  /** How often it was asked for. */
  count: () => number;
  /** Lets all later ones fail. */
  fail: () => void;
};

/** Watches a server's reads of one kind. */
export function watchReads(
  { services, systemCtx }: TestServer,
  isMeant: (statement: Statement) => boolean,
): FailingReads {
  let [reads, fails] = [0, false];
  const database: typeof services.database = {
    ...services.database,
    runIn: (lane) => async (statement, values) => {
      if (isMeant(statement)) reads++;
      if (fails && isMeant(statement)) throw new Error("this can't be read");
      return services.database.runIn(lane)(statement, values);
    },
  };
  return {
    services: { ...services, database },
    systemCtx,
    count: () => reads,
    fail: () => (fails = true),
  };
}

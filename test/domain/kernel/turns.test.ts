import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { type Steps, createTurns, runInTurn } from "../../../src/domain/kernel/turns.ts";
import { keepBusy } from "../../support/loop-turns.ts";

/** Endless steps until stopped. */
function endlessWork(): { endless: () => Steps; end: () => void } {
  const state = { isOver: false };
  return {
    *endless() {
      while (!state.isOver) yield;
    },
    end: () => {
      state.isOver = true;
    },
  };
}

describe("turns", () => {
  it("serve a workspace while another has endless work", async () => {
    const turns = createTurns();
    const { endless, end } = endlessWork();
    const order: string[] = [];
    const busy = Array.from({ length: 50 }, () => turns.run("busy", endless()));
    function* short(): Steps {
      for (let step = 0; step < 3; step++) {
        order.push(`step ${step}`);
        yield;
      }
    }
    await turns.run("calm", short());
    expect(order).toEqual(["step 0", "step 1", "step 2"]);
    end();
    await Promise.all(busy);
  });

  it("let sockets and timers run between endless steps", async () => {
    const turns = createTurns();
    const { endless, end } = endlessWork();
    const work = turns.run("busy", endless());
    await pause(1);
    end();
    expect(await work).toBeUndefined();
  });

  it("report errors of steps and continue with the others", async () => {
    const turns = createTurns();
    function* broken(): Steps {
      yield;
      throw new Error("broken");
    }
    function* whole(): Steps {
      yield;
    }
    const works = await Promise.allSettled([turns.run("one", broken()), turns.run("one", whole())]);
    expect(works.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("handle the failure of what a function began in its turn", async () => {
    const { run } = createTurns();
    function begin(): Promise<never> {
      keepBusy(5);
      return Promise.reject(new Error("broken"));
    }
    await expect(runInTurn(run, "one", begin)).rejects.toThrow("broken");
  });

  it("accept new steps from steps", async () => {
    const turns = createTurns();
    const done: string[] = [];
    function* inner(): Steps {
      done.push("inner");
      yield;
    }
    const asked: Promise<void>[] = [];
    function* outer(): Steps {
      asked.push(turns.run("one", inner()), turns.run("two", inner()));
      yield;
      done.push("outer");
    }
    await turns.run("one", outer());
    await Promise.all(asked);
    expect(done.toSorted()).toEqual(["inner", "inner", "outer"]);
  });
});

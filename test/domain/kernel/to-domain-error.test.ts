import { describe, expect, it } from "vitest";
import { DomainError } from "../../../src/domain/kernel/errors.ts";
import { toDomainError } from "../../../src/domain/kernel/to-domain-error.ts";
import { expectMessage } from "../../support/error-message.ts";

describe("toDomainError", () => {
  it("returns a DomainError unchanged", () => {
    const error = new DomainError("not_found", "There is no such task.");
    expect(toDomainError(error)).toBe(error);
  });

  it.each([
    ["08006", "unavailable", /can't be reached/],
    ["40P01", "unavailable", /can't be reached/],
    ["57014", "unavailable", /took too long/],
    ["22021", "validation_failed", /character that can't be stored/],
  ])("explains %s", (code, expected, message) => {
    const error = toDomainError(Object.assign(new Error("x"), { code }));
    expect(error).toMatchObject({ code: expected, message: expect.stringMatching(message) });
    expectMessage(error?.message);
  });

  it.each([["23505"], ["42P01"], [undefined]])("returns null for a bug, such as %s", (code) => {
    expect(toDomainError(Object.assign(new Error("x"), { code }))).toBeNull();
  });
});

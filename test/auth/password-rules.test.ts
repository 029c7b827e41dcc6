import { describe, expect, it } from "vitest";
import { passwordProblem } from "../../src/auth/password-rules.ts";

const rules = { email: "ada.lovelace@example.com", min: 12 };

describe("passwordProblem", () => {
  it.each([
    "a quiet harbour at dawn",
    "twelve chars",
    "Zürich-Åse-office",
    "8XkQ!vTz0pLm",
    "my password is not this long one",
    "lovelace and babbage",
    "193847562019",
  ])("has nothing against %s", (password) => {
    expect(passwordProblem(password, rules)).toBeNull();
  });

  it.each([
    ["short", "eleven char", "12 to 128"],
    ["long", "ab cd ef gh ij kl mn ".repeat(7), "12 to 128"],
    ["short once composed", "e\u0301".repeat(6) + "abcde", "12 to 128"],
    ["a megabyte long", "harbour ".repeat(131_072), "12 to 128"],
    ["made with NUL", "a quiet\0harbour", "NUL"],
    ["half a surrogate pair", "a quiet harbour \ud83d", "surrogate"],
  ])("refuses what is %s", (_what, password, told) => {
    expect(passwordProblem(password, rules)).toContain(told);
  });

  it.each([
    "password1234",
    "P@ssw0rd2026!",
    "PASSWORD-PASSWORD",
    "correct horse battery staple",
    "letmein 20261121",
    "123456789012",
    "210987654321",
    "abcdefghijklm",
    "qwertyuiop[]",
    "1qaz2wsx3edc",
    "xxxxxxxxxxxx",
    "hahahahahaha!",
    "ｐａｓｓｗｏｒｄ１２３４",
    "Agent Ops 2026",
  ])("refuses %s, which many people would use", (password) => {
    expect(passwordProblem(password, rules)).toContain("too easy to guess");
  });

  it.each(["ada.lovelace@example.com", "AdaLovelace1815", "ada_lovelace!!", "Ad4 Lovel4ce?"])(
    "refuses %s, which is made of the address",
    (password) => {
      expect(passwordProblem(password, rules)).not.toBeNull();
    },
  );

  it("takes the least length from the rules", () => {
    expect(passwordProblem("seven by ten", { ...rules, min: 13 })).toContain("13 to 128");
    expect(passwordProblem("8XkQ!vTz", { ...rules, min: 8 })).toBeNull();
  });
});

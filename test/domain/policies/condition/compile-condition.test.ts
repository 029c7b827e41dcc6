import { describe, expect, it } from "vitest";
import { compileCondition } from "../../../../src/domain/policies/condition/compile-condition.ts";

const VALUES = {
  args: {
    amount: 900,
    currency: "EUR",
    nothing: null,
    text: "900",
    items: [
      { price: 1, tags: ["a", "b"] },
      { price: 20, tags: [] },
    ],
    mixed: [1, "a", null, { x: 1 }],
    nested: { to: { "a-b": true } },
    flag: true,
  },
  request: { ip: "10.0.0.1" },
  agent: { id: "1", handle: "billing-7", kind: "software", version: "1.2", labels: { team: "finance" } },
  subject: { type: "agent", id: "1", properties: {} },
  action: { name: "tools/call", properties: { soft: true } },
  resource: { type: "tool", name: "stripe.refund", server: "stripe", properties: { hash: "x" } },
  environment: "production",
  now: new Date("2026-11-22T10:30:00Z"),
};

function evaluate(text: string, values: Record<string, unknown> = VALUES) {
  const compiled = compileCondition(text);
  if ("problems" in compiled) return compiled.problems;
  const result = compiled.condition.evaluate(values);
  return typeof result === "boolean" ? result : result.code;
}

function getProblems(text: string) {
  const compiled = compileCondition(text);
  return "problems" in compiled ? compiled.problems : [];
}

describe("a condition", () => {
  it.each([
    ['has(args.amount) && args.amount > 500 && args.currency in ["EUR", "USD"]', true],
    ["args.amount == 900", true],
    ["args.amount == 900.0 && args.amount >= 9e2", true],
    ["args.amount + 1.0 > 900.0 && args.amount * 2.0 == 1800.0", true],
    ["args.amount in [1, 900]", true],
    ["args.amount + 1.0 + args.amount > 1800.0", true],
    ["-args.amount < 0", true],
    ["args.text == 900", false],
    ["args.nothing == null && has(args.nothing)", true],
    ["args.nothing == 0", false],
    ["has(args.missing)", false],
    ["has(args.nested.to) && !has(args.nested.from)", true],
    ["args.items.all(i, has(i.price) && !has(i.name))", true],
    ["has(agent.labels.team) && !has(agent.labels.tier) && has(agent.version)", true],
    ["has(action.properties.soft) && has(action.properties) && !has(request.x)", true],
    ["args.missing == 1 && false", false],
    ["args.missing == 1 || true", true],
    ["false && args.missing == 1", false],
    ["args.items.exists(i, i.price > 10)", true],
    ["args.items.all(i, i.price > 10)", false],
    ["args.items.exists_one(i, i.price > 10)", true],
    ['args.items.exists(i, i.tags.exists(t, t == "b"))', true],
    ["args.mixed.exists(x, x == null)", true],
    ['args.nested.to["a-b"] == true', true],
    ['args.exists(name, name == "amount")', true],
    ["size(args.items) == 2 && args.items.size() < 3", true],
    ['agent.labels.team == "finance" && agent.handle.glob("billing-*")', true],
    ['"team" in agent.labels && !("tier" in agent.labels)', true],
    ['resource.name.startsWith("stripe.") && resource.server == "stripe"', true],
    ['action.properties.soft == true && resource.properties.hash != ""', true],
    ['args.currency.lowerAscii() == "eur" && "x".contains("x")', true],
    ['now > timestamp("2026-01-01T00:00:00Z") && now.getHours() == 10', true],
    ['now.getHours("Asia/Tokyo") == 19 && now.getDayOfWeek() == 0', true],
    ['now - timestamp("2026-11-22T10:00:00Z") == duration("30m")', true],
    ['environment == "production" ? args.amount < 1000 : true', true],
    ['int(args.text) == 900 && double(args.text) == 900.0 && string(args.amount) == "900"', true],
    ['request.ip != "127.0.0.1"', true],
  ])("%s is %s", (text, expected) => {
    expect(evaluate(text)).toBe(expected);
  });

  it.each([
    ["args.text > 500", "no_such_overload"],
    ["args.missing == 1", "no_such_key"],
    ["has(args.text.a)", "not_an_object"],
    ["!has(args.items.a)", "not_an_object"],
    ["has(args.nothing.a)", "not_an_object"],
    ["has(args.amount.a)", "not_an_object"],
    ["has(args.missing.a)", "no_such_key"],
    ["args.items.exists(i, has(i.tags.x))", "not_an_object"],
    ["args.amount && true", "invalid_logical_operand"],
    ["args.__proto__ == null", "no_such_key"],
    ["args.constructor == null", "no_such_key"],
    ["args.items.toString == null", "no_such_key"],
    ["args.currency.length == 3", "no_such_key"],
    ["args.amount.exists(x, x == 1)", "invalid_comprehension_range"],
  ])("%s can't be evaluated: %s", (text, code) => {
    expect(evaluate(text)).toBe(code);
  });

  it("can't be evaluated where it reads an agent and the subject is none", () => {
    expect(evaluate('agent.handle == "x"', { ...VALUES, agent: undefined })).toBe("unknown_variable");
  });

  it("keeps nothing of a request", () => {
    const compiled = compileCondition("args.items.exists(i, i.price > 10)");
    if ("problems" in compiled) throw new Error("not compiled");
    const { evaluate: ask } = compiled.condition;
    expect([ask(VALUES), ask({ args: {} }), ask({ args: { items: [] } }), ask(VALUES)]).toEqual([
      true,
      expect.objectContaining({ code: "no_such_key" }),
      false,
      true,
    ]);
  });

  it("tells the paths that it reads", () => {
    const compiled = compileCondition(
      'args.to.exists(t, t.name == args.owner) && args.a["b-c"].d == 1 && has(args.z) && now.getHours() > 8',
    );
    if ("problems" in compiled) throw new Error(JSON.stringify(compiled.problems));
    const { paths, readsElements } = compiled.condition;
    expect([...paths].toSorted()).toEqual(['args.a["b-c"].d', "args.owner", "args.to", "args.z", "now"]);
    expect(readsElements).toBe(true);
  });
});

describe("a condition that is not admitted", () => {
  it.each([
    ["args.amount", "type", "must be true or false: write == true", [0, 11]],
    ["1 + 1", "type", "must be true or false", [0, 5]],
    ["args.amount + 1 > 2", "not_allowed", "numbers of the request have fractions: write 1.0", [14, 15]],
    ['agent.hndle == "x"', "no_such_key", "No such key: hndle.", [6, 11]],
    ["agnt == 1", "unknown_variable", "Unknown variable: agnt.", [0, 4]],
    ['resource.owner == "x"', "no_such_key", "No such key: owner.", [9, 14]],
    ['hasMember(args, "a")', "not_allowed", "hasMember() takes one value", [0, 20]],
    ["hasMember(args)", "not_allowed", "hasMember() can't be used", [0, 15]],
    ["foo(1) == 1", "not_allowed", "foo() can't be used", [0, 6]],
    ['args.a.matches("x")', "not_allowed", "matches() can't be used", [0, 19]],
    ["args.a.map(x, x) == [1]", "not_allowed", "map() can't be used", [0, 16]],
    ["type(args) == 1", "not_allowed", "type() can't be used", [0, 10]],
    ["dyn(args) == 1", "not_allowed", "dyn() can't be used", [0, 9]],
    ['args.a == b"x"', "not_allowed", "bytes and unsigned numbers can't be used", [10, 14]],
    ["args.a == 1u", "not_allowed", "bytes and unsigned numbers can't be used", [10, 12]],
    ["cel.bind(x, 1, x == 1)", "not_allowed", "bind() can't be used", [0, 22]],
    ["args.a.glob(args.b)", "not_allowed", "the pattern must be a text in quotes", [12, 18]],
    ['args.a.glob("*********")', "not_allowed", "the pattern must have at most 8 stars", [12, 23]],
    ['now.getHours("Nowhere") == 1', "not_allowed", "is not the name of a time zone", [13, 22]],
    ["args.at.getHours() == 1", "not_allowed", "getHours() can be used with now only", [0, 18]],
    ["timestamp(args.at) > now", "not_allowed", "timestamp() takes a text in quotes", [10, 17]],
    ["[args.a] == [1]", "not_allowed", "a list can have texts, numbers, booleans and null only", [1, 7]],
    ['args.a + "x" == "yx"', "not_allowed", "only numbers can be calculated with", [9, 12]],
    ["args.a.all(args, true)", "not_allowed", "is the name of another variable", [11, 15]],
    ["[1, 2].all(x, x > 0)", "not_allowed", "needs a list of the request", [0, 6]],
    ["args.a.all(x, args.b.all(y, y))", "not_allowed", "needs a list of its element x", [14, 20]],
    ["args.a.all(x, args.b.contains(x))", "not_allowed", "only the element x can be used here", [14, 20]],
    ["args.a.all(x, x in args.b)", "not_allowed", "only the element x can be used here", [19, 25]],
    ["args.a.all(x, args.b == args.c)", "not_allowed", "only the element x can be used here", [14, 20]],
    ["args.a.all(x, double(args.b) > 1.0)", "not_allowed", "only the element x can be used here", [21, 27]],
    ["args.a.all(x, (true ? args.b : 1) == args.c)", "not_allowed", "needs a value of the request", [15, 32]],
    ["args.a.all(x, (true ? args : args).b == args.c)", "not_allowed", "needs a value of the", [15, 36]],
    ["args.a.all(x, args.b + args.c == x)", "not_allowed", "only the element x can be used here", [14, 20]],
    ['has(args["a-b"])', "not_allowed", 'write "a-b" in args', [4, 15]],
    ["has(args)", "not_allowed", "has() takes a member such as args.name", [4, 8]],
    ["args.a > ", "unexpected_token", "Unexpected token: EOF.", [9, 9]],
    ["", "unexpected_token", "Unexpected token: EOF.", [0, 0]],
  ] as const)("%s", (...[text, code, message, [start, end]]) => {
    expect(getProblems(text)[0]).toMatchObject({ code, start, end });
    expect(getProblems(text)[0]?.message).toContain(message);
  });

  it("reports all of its problems", () => {
    expect(getProblems("foo(1) && bar(2)").map(({ start }) => start)).toEqual([0, 10]);
  });

  it.each([
    ["all, exists and exists_one", "args.a.all(x, true)", 4],
    ["contains, glob, trim, lowerAscii and upperAscii", 'args.a.contains("x")', 8],
    ["size", "size(args.a) > 1", 2],
    ["comparisons of two values of the request", "args.a == args.b", 4],
    ["comparisons of two values of the request", "(true ? args.a : args.b) == args.c", 4],
    ["comparisons of two values of the request", "args.a.contains(args.b)", 4],
    ["arithmetic operators", "1.0 + 1.0 > 1.0", 16],
    ["time zones", 'now.getHours("UTC") > 1', 4],
  ])("may use %s only so often: %s", (what, part, most) => {
    expect(getProblems(repeat(part, most))).toEqual([]);
    const [problem, ...others] = getProblems(repeat(part, most + 2));
    expect(problem).toMatchObject({ code: "too_complex", message: `can use ${what} at most ${most} times` });
    expect(others).toEqual([]);
  });

  it("may call 16 functions inside all, exists and exists_one", () => {
    expect(getProblems(`args.a.all(x, ${repeat("int(x) == 1", 16)})`)).toEqual([]);
    expect(getProblems(`args.a.all(x, ${repeat("int(x) == 1", 17)})`)).toMatchObject([
      {
        code: "too_complex",
        message: "can use functions inside all, exists and exists_one at most 16 times",
      },
    ]);
  });

  it("nests all, exists and exists_one three times at most", () => {
    const nested = "args.a.all(x, x.b.all(y, y.c.all(z, z.d.all(w, w == 1))))";
    expect(getProblems(nested.replace("z.d.all(w, w == 1)", "z == 1"))).toEqual([]);
    expect(getProblems(nested)[0]).toMatchObject({ code: "not_allowed" });
  });
});

describe("a hostile text", () => {
  const COUNT = 5000;
  it.each([
    ["(", "("],
    [".a", ".a"],
    ["+", "+"],
    ["!", "!"],
    ["-", "-"],
    ["&&", " && args"],
    ["[", "["],
    ["? :", "true ? true : "],
    ["a string", "'"],
  ])("of 5,000 %s is rejected", (_name, part) => {
    expect(getProblems(`args${part.repeat(COUNT)}`).length).toBeGreaterThan(0);
    const fitting = part.repeat(Math.floor(3990 / part.length));
    expect(getProblems(`args${fitting}`).length).toBeGreaterThan(0);
    expect(getProblems(fitting).length).toBeGreaterThan(0);
  });

  it("of a megabyte is rejected unread", () => {
    expect(getProblems("args.a == 1 || ".repeat(70_000))[0]).toMatchObject({ code: "too_long" });
  });

  it("never does more than have problems", () => {
    const pieces = [
      "args",
      ".",
      "a",
      "(",
      ")",
      "[",
      "]",
      " && ",
      "1",
      '"x"',
      "!",
      "all",
      ", ",
      "?",
      ":",
      "in",
      "\\",
      "'",
      "\u0000",
      "\ud800",
    ];
    let seed = 7;
    for (let count = 0; count < 3000; count++) {
      const text = Array.from({ length: 12 }, () => {
        seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
        return pieces[seed % pieces.length];
      }).join("");
      const compiled = compileCondition(text);
      if ("condition" in compiled) compiled.condition.evaluate(VALUES);
      else
        for (const { start, end } of compiled.problems)
          expect([start >= 0, end <= text.length]).toEqual([true, true]);
    }
  });
});

function repeat(part: string, count: number): string {
  return Array.from({ length: count }, () => part).join(" || ");
}

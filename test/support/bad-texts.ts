/** Texts that JSON can contain and PostgreSQL can't store. */
export const BAD_TEXTS = [
  { kind: "NUL", bad: "a\u0000b" },
  { kind: "a lone high surrogate", bad: "a\ud800b" },
  { kind: "a lone low surrogate", bad: "\udc00" },
];

/** JSON texts whose values would change when stored. */
export const BAD_JSON = [
  { kind: "NUL in a name", json: '{"a\\u0000":1}' },
  { kind: "half a surrogate pair deep inside", json: '{"a":[{"b":"\\udfff"}]}' },
  { kind: "a number beyond every double", json: '{"a":1e400}' },
  { kind: "a member named __proto__", json: '{"a":{"__proto__":{"b":1}}}' },
  { kind: "more levels than a value may have", json: `{"a":${"[".repeat(120)}${"]".repeat(120)}}` },
];

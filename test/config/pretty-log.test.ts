import { describe, expect, it } from "vitest";
import { createLogger } from "../../src/config/logger.ts";
import { createPrettyLog } from "../../src/config/pretty-log.ts";

function open(level = "trace") {
  const lines: string[] = [];
  return {
    log: createLogger(
      level,
      createPrettyLog((text) => void lines.push(text)),
    ),
    lines,
  };
}

describe("createPrettyLog", () => {
  it("writes a line with the time, the level, the message and the fields", () => {
    const { log, lines } = open();
    log.info({ port: 4000, started: true, name: "two words", path: "/a/b" }, "PostgreSQL is running");
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d info {2}PostgreSQL is running {2}port=4000 {2}started=true {2}name="two words" {2}path=\/a\/b\n$/,
    );
  });

  it("leaves out requests, but those that failed", () => {
    const { log, lines } = open();
    for (const status of [200, 404, 500, 503]) log.info({ status }, "request");
    expect(lines.map((line) => line.slice(9))).toEqual([
      "info  request  status=500\n",
      "info  request  status=503\n",
    ]);
  });

  it("writes errors with their stack and code, and no control characters of others", () => {
    const { log, lines } = open();
    const error = Object.assign(new Error("gone \u001B[31m away"), {
      code: "ECONNREFUSED",
      secret: "s3cret",
    });
    log.error({ err: error, name: "\u001B]0;title\u0007" }, "it failed");
    const [text = ""] = lines;
    expect(text).toContain("error it failed");
    expect(text).toContain("    Error: gone \\u001b[31m away\n        at ");
    expect(text).toContain("ECONNREFUSED");
    expect(text).not.toContain("s3cret");
    expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });

  it("obeys the level", () => {
    const { log, lines } = open("warn");
    log.info("hidden");
    log.warn("shown");
    expect(lines.map((line) => line.slice(9))).toEqual(["warn  shown\n"]);
  });
});

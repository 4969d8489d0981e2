import { expect, test } from "vitest";
import { createLog } from "./log.ts";

test("a log line never holds a secret", () => {
  let written = "";
  const log = createLog("info", {
    write: (line: string) => {
      written += line;
    },
  });
  log.info(
    { password: "hunter2", headers: { authorization: "Bearer hunter2" }, a: { b: { token: "hunter2" } } },
    "tried",
  );
  expect(JSON.parse(written)).toMatchObject({ msg: "tried", password: "[redacted]" });
  expect(written).not.toContain("hunter2");
});

test("keeps the connection that an error carries out of the line", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  log.error({ err: Object.assign(new Error("ended"), { code: "57P01", client: { password: "hunter2" } }) });
  expect(lines.join("")).toContain("57P01");
  expect(lines.join("")).not.toContain("hunter2");
});

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

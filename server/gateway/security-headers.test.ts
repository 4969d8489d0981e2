import { expect, it } from "vitest";
import { securityHeadersOf } from "./security-headers.ts";

it.each([
  ["https://q.example", "max-age=31536000"],
  ["http://q.example", undefined],
  ["http://127.0.0.1:4870", undefined],
])("a console at %s has a policy for transport of its own: %s", (url, policy) => {
  const headers = new Map(securityHeadersOf(url));
  expect(headers.get("strict-transport-security")).toBe(policy);
  expect(headers.get("x-frame-options")).toBe("DENY");
});

import { expect, it } from "vitest";
import { nextPage } from "@/components/access/next-page";

it.each([
  ["/activity?q=verdict%3Adeny#x", "/activity?q=verdict%3Adeny#x"],
  ["/", "/"],
  ["/sign-in?next=/sign-in", "/"],
  [null, "/"],
  ["", "/"],
  ["decisions", "/"],
  ["https://evil.example/", "/"],
  ["//evil.example/", "/"],
  ["/\\evil.example/", "/"],
  ["/\t/evil.example/", "/"],
  ["/\n//evil.example", "/"],
  ["javascript:alert(1)", "/"],
])("after signing in with %j asked for, the page is %j", (asked, page) => {
  expect(nextPage(asked)).toBe(page);
});

import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { refuseForeignOrigin } from "./origin.ts";

const takes = (url: string, headers: Record<string, string>): boolean => {
  try {
    refuseForeignOrigin({ headers } as unknown as IncomingMessage, url); // holds: only the headers are read
    return true;
  } catch {
    return false;
  }
};

it.each<[url: string, host: string, origin: string, isTaken: boolean]>([
  ["https://q.example", "q.example", "https://q.example", true],
  ["https://q.example", "q.example", "http://q.example", false],
  ["https://q.example", "q.example:443", "http://q.example:443", false],
  ["https://q.example", "other.example", "https://other.example", true],
  ["https://q.example", "other.example", "http://other.example", false],
  ["https://q.example", "127.0.0.1:3000", "http://127.0.0.1:3000", false],
  ["https://q.example", "q.example", "ftp://q.example", false],
  ["https://q.example", "q.example", "null", false],
  ["https://q.example", "q.example", "https://evil.example", false],
  ["http://q.example", "q.example", "http://q.example", true],
  ["http://q.example", "q.example", "https://q.example", true],
  ["http://127.0.0.1:3000", "localhost:3000", "http://localhost:3000", true],
  ["http://127.0.0.1:3000", "localhost:3000", "http://localhost:4000", false],
])("at %s, a page at host %s with origin %s: %s", (url, host, origin, isTaken) => {
  expect(takes(url, { host, origin, cookie: "a=b" })).toBe(isTaken);
});

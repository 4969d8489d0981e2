import { expect, test } from "vitest";
import { hostMatches, hostOf, isOfClass, remoteHostOf } from "./hosts.ts";

test.each([
  ["https://Example.ORG./a", "example.org"],
  ["//user:pass@example.org:8080/a?b", "example.org"],
  ["http://example.org\\@evil.example/", "example.org"],
  ["http://2852039166/latest", "169.254.169.254"],
  ["http://0xa9fea9fe/", "169.254.169.254"],
  ["http://0251.0376.0251.0376/", "169.254.169.254"],
  ["http://169.254.43518/", "169.254.169.254"],
  ["http://[::ffff:169.254.169.254]/", "169.254.169.254"],
  ["http://[::ffff:a9fe:a9fe]/", "169.254.169.254"],
  ["http://%31%36%39.254.169.254/", "169.254.169.254"],
  ["http://ⓔxample.org/", "example.org"],
  ["http://[fd00:ec2::254]/", "fd00:ec2::254"],
])("%s is on %s", (url, name) => {
  expect(hostOf(url)?.name).toBe(name);
});

test.each(["", "just words", "a/b.ts", "./file", "C:\\a", "mailto"])("%j has no host", (text) => {
  expect(hostOf(text)).toBeNull();
});

test.each([
  ["git@example.org:a/b.git", "example.org"],
  ["root@box", "box"],
  ["example.org:/srv", "example.org"],
  ["ssh://root@example.org:22/a", "example.org"],
])("the remote of %s is %s", (text, name) => {
  expect(remoteHostOf(text)?.name).toBe(name);
});

test.each([
  ["*.example.org", "a.example.org", true],
  ["*.example.org", "example.org", false],
  ["*.example.org", "evilexample.org", false],
  ["example.org", "EXAMPLE.org".toLowerCase(), true],
  ["10.0.0.0/8", "10.1.2.3", true],
  ["10.0.0.0/8", "11.1.2.3", false],
  ["fc00::/7", "fd00:ec2::254", true],
  ["fc00::/7", "10.0.0.1", false],
])("%s takes %s: %s", (pattern, name, isTaken) => {
  expect(hostMatches(pattern, name)).toBe(isTaken);
});

test.each([
  ["169.254.169.254", "metadata", true],
  ["169.254.170.2", "metadata", true],
  ["metadata.google.internal", "metadata", true],
  ["169.254.1.1", "metadata", false],
  ["127.0.0.1", "private", true],
  ["192.168.1.1", "private", true],
  ["::1", "private", true],
  ["printer.local", "private", true],
  ["example.org", "private", false],
  ["8.8.8.8", "private", false],
] as const)("%s is %s: %s", (name, hostClass, isOf) => {
  expect(isOfClass(name, hostClass)).toBe(isOf);
});

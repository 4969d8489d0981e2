import { describe, expect, test } from "vitest";
import { StartupError } from "../platform/env.ts";
import { addressRule } from "./address.ts";

const refusal = (url: string, list = "loopback") => addressRule(list).refusal(new URL(url));

describe("where a model may be asked, when the operator said nothing", () => {
  test.each([
    "https://api.openai.com/v1",
    "http://127.0.0.1:11434/v1",
    "http://localhost:8000",
    "http://[::1]:1/v1",
    "https://8.8.8.8/v1",
  ])("%s", (url) => expect(refusal(url)).toBeNull());

  test.each([
    "https://10.0.0.1",
    "https://172.16.0.1",
    "https://192.168.1.1",
    "https://100.64.0.1",
    "https://169.254.169.254",
    "https://[fd00:ec2::254]",
    "https://[fe80::1]",
    "https://[fc00::1]",
    "https://[::ffff:10.0.0.1]",
    "https://[64:ff9b::a00:1]",
    "https://0.0.0.0",
    "https://2130706433.example@10.0.0.1",
    "https://0x0a000001",
    "http://8.8.8.8",
    "http://models.example",
    "file:///etc/passwd",
    "https://models.example/v1?key=1",
  ])("not %s", (url) => expect(refusal(url)).not.toBeNull());
});

describe("what a name leads to", () => {
  test("is checked when it is looked up, whatever the name", () => {
    const rule = addressRule("loopback");
    expect(rule.allowsAddress("models.example", "93.184.216.34")).toBe(true);
    for (const address of [
      "10.0.0.1",
      "169.254.169.254",
      "::ffff:192.168.0.1",
      "fd12::1",
      "0.0.0.0",
      "fe80::1%eth0",
      "nonsense",
    ])
      expect([address, rule.allowsAddress("models.example", address)]).toEqual([address, false]);
  });

  test("may be private for a host, an address or a range that is listed, and for no other", () => {
    const rule = addressRule("gpu.lan, 10.1.0.0/16,fd12::1");
    expect(rule.allowsAddress("gpu.lan", "192.168.7.7")).toBe(true);
    expect(rule.allowsAddress("other.lan", "192.168.7.7")).toBe(false);
    expect(rule.allowsAddress("any.example", "10.1.2.3")).toBe(true);
    expect(rule.allowsAddress("any.example", "10.2.2.3")).toBe(false);
    expect(rule.allowsAddress("any.example", "fd12::1")).toBe(true);
    expect(rule.allowsAddress("localhost", "127.0.0.1")).toBe(false);
    expect(rule.refusal(new URL("http://gpu.lan/v1"))).toBeNull();
  });

  test("is never a cloud's own address, not even for a listed host", () => {
    expect(addressRule("metadata, 169.254.0.0/16").allowsAddress("metadata", "169.254.169.254")).toBe(false);
  });
});

test("none closes this machine too", () => {
  expect(refusal("http://127.0.0.1:11434/v1", "none")).not.toBeNull();
  expect(refusal("http://localhost:11434/v1", "none")).not.toBeNull();
});

test.each(["10.0.0.0/33", "http://gpu.lan", "not a host"])("a list with %j is refused at start, by name", (list) => {
  expect(() => addressRule(list)).toThrow(StartupError);
  expect(() => addressRule(list)).toThrow("QUARTERDECK_ALLOW_PRIVATE_MODELS");
});

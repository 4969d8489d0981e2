import { serverBuiltins } from "@quarterdeck/hooks";
import { describe, expect, test } from "vitest";
import { StartupError } from "../env.ts";
import { addressRule, baseRefusal, VARIABLES } from "./address-rule.ts";
import { isPublic, parseAddress } from "./ip-address.ts";

const ruleOf = (list: string) => addressRule(list, VARIABLES.models);
const refusal = (url: string, list: string) => ruleOf(list).refusal(new URL(url));

const INSIDE = [
  "http://127.0.0.1:11434/v1",
  "http://localhost:8000",
  "http://localhost.:8000",
  "http://api.localhost:8000",
  "http://[::1]:1/v1",
  "http://127.1",
  "http://2130706433",
  "https://10.0.0.1",
  "https://172.16.0.1",
  "https://192.168.1.1",
  "https://100.64.0.1",
  "https://198.18.0.1",
  "https://[fc00::1]",
  "https://[fec0::1]",
  "https://[::ffff:10.0.0.1]",
  "https://[::ffff:7f00:1]",
  "https://[64:ff9b::a00:1]",
  "https://[64:ff9b:1::a00:1]",
  "https://[2002:7f00:1::]",
  "https://[2001::1]",
  "https://[::7f00:1]",
  "https://0.0.0.0",
  "https://[::]",
  "https://0x0a000001",
];
const NEVER = [
  "https://169.254.169.254",
  "https://[::ffff:169.254.169.254]",
  "https://[64:ff9b::a9fe:a9fe]",
  "https://[2002:a9fe:a9fe::]",
  "https://[fd00:ec2::254]",
  "https://[fe80::1]",
  "https://168.63.129.16",
  "https://100.100.100.200",
  "https://224.0.0.1",
  "https://255.255.255.255",
  "https://[ff02::1]",
];

describe("an address, when the operator listed nothing", () => {
  test.each(["https://api.openai.com/v1", "https://8.8.8.8/v1", "https://[2606:4700::1111]/"])(
    "%s may be asked",
    (url) => expect(refusal(url, "none")).toBeNull(),
  );

  test.each(INSIDE)("%s is private, and the refusal names the variable", (url) =>
    expect(refusal(url, "none")).toContain("QUARTERDECK_ALLOW_PRIVATE_MODELS"),
  );

  test.each([
    ...NEVER,
    "https://2130706433.example@10.0.0.1",
    "http://8.8.8.8",
    "http://models.example",
    "file:///etc/x",
  ])("%s is refused", (url) => expect(refusal(url, "none")).not.toBeNull());

  test("what others are built from has no query", () => {
    const url = new URL("https://models.example/v1?key=1");
    expect(baseRefusal(ruleOf("none"), url)).toContain("from ? or # on");
    expect(ruleOf("none").refusal(url)).toBeNull();
  });
});

describe("what a name leads to", () => {
  test("is checked when it is looked up, whatever the name", () => {
    const rule = ruleOf("loopback");
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
    const rule = ruleOf("gpu.lan, 10.1.0.0/16,fd12::1");
    expect(rule.allowsAddress("gpu.lan", "192.168.7.7")).toBe(true);
    expect(rule.allowsAddress("other.lan", "192.168.7.7")).toBe(false);
    expect(rule.allowsAddress("any.example", "10.1.2.3")).toBe(true);
    expect(rule.allowsAddress("any.example", "::ffff:10.1.2.3")).toBe(true);
    expect(rule.allowsAddress("any.example", "10.2.2.3")).toBe(false);
    expect(rule.allowsAddress("any.example", "fd12::1")).toBe(true);
    expect(rule.allowsAddress("localhost", "127.0.0.1")).toBe(false);
    expect(rule.refusal(new URL("http://gpu.lan/v1"))).toBeNull();
  });

  test("may be this machine where loopback is listed", () => {
    for (const url of ["http://127.0.0.1:11434/v1", "http://localhost:8000", "http://[::1]:1/v1"])
      expect(refusal(url, "loopback")).toBeNull();
    expect(refusal("http://10.0.0.1", "loopback")).not.toBeNull();
  });

  test.each(NEVER)("is never %s, not even where it is listed", (url) => {
    const { hostname } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, "");
    const everything = ruleOf(`metadata, ${host}, 0.0.0.0/0, ::/0`);
    expect(everything.refusal(new URL(url))).not.toBeNull();
    expect(everything.allowsAddress("metadata", host)).toBe(false);
  });

  test("one more host may be private, and it alone", () => {
    const rule = ruleOf("none").allowing("127.0.0.1");
    expect(rule.refusal(new URL("http://127.0.0.1:11434"))).toBeNull();
    expect(rule.allowsAddress("127.0.0.1", "127.0.0.1")).toBe(true);
    expect(rule.refusal(new URL("http://127.0.0.2:11434"))).not.toBeNull();
    expect(rule.allowsAddress("models.example", "127.0.0.1")).toBe(false);
    expect(ruleOf("none").allowing("metadata").allowsAddress("metadata", "169.254.169.254")).toBe(false);
  });
});

/**
 * True if the builtin http_post takes an address for public, found without a connection: its signal is over before it
 * could make one.
 */
async function isPublicToHooks(host: string): Promise<boolean> {
  const builtin = serverBuiltins().find(({ name }) => name === "http_post");
  const logged: string[] = [];
  await builtin?.run({
    event: "turn_end",
    lane: "default",
    profile: "2026-07",
    input: {},
    args: [`https://${host.includes(":") ? `[${host}]` : host}/`],
    env: {},
    signal: AbortSignal.abort(),
    log: (text) => logged.push(text),
  });
  expect(logged).toHaveLength(1);
  return !logged[0]?.includes("is not a public address");
}

test("the hooks' own table of public addresses agrees with this one", async () => {
  const open = ["https://8.8.8.8", "https://1.1.1.1", "https://[2606:4700::1111]", "https://[2a00:1450::8a]"];
  const hosts = [...INSIDE, ...NEVER, ...open, "https://[3fff::1]", "https://[2001:db8::1]", "https://192.0.2.1"]
    .map((url) => new URL(url).hostname.replace(/^\[|\]$/g, ""))
    // Azure's host is a public address to hooks, which read no answer.
    .filter((host) => parseAddress(host) !== null && host !== "168.63.129.16");
  for (const host of hosts) {
    const parsed = parseAddress(host);
    expect([host, parsed !== null && isPublic(parsed)]).toEqual([host, await isPublicToHooks(host)]);
  }
});

test.each(["10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8/8", "http://gpu.lan", "not a host"])(
  "a list with %j is refused at start, by name",
  (list) => {
    expect(() => ruleOf(list)).toThrow(StartupError);
    expect(() => ruleOf(list)).toThrow("QUARTERDECK_ALLOW_PRIVATE_MODELS");
  },
);

import { describe, expect, it } from "vitest";
import { addressList } from "../platform/outgoing/address-rule.ts";
import { createClientInfoReader } from "./client-info.ts";

const behind = createClientInfoReader(addressList("loopback, 10.0.0.0/8", "X"));
const request = (remoteAddress: string | undefined, forwarded?: string) =>
  ({ headers: { ...(forwarded && { "x-forwarded-for": forwarded }) }, socket: { remoteAddress } }) as Parameters<
    typeof behind
  >[0]; // the two members that are read
const ipOf = (...asked: Parameters<typeof request>) => behind(request(...asked)).ip;

describe("the address of whoever asks", () => {
  it("is the connection's, and what a stranger writes about himself changes nothing", () => {
    expect(ipOf("203.0.113.9", "198.51.100.1")).toBe("203.0.113.9");
    expect(ipOf("::ffff:203.0.113.9")).toBe("203.0.113.9");
    expect(createClientInfoReader(() => false)(request("127.0.0.1", "198.51.100.1")).ip).toBe("127.0.0.1");
  });

  it("is what the operator's own proxies saw, and nothing that stands before that", () => {
    expect(ipOf("10.0.0.7", "203.0.113.9")).toBe("203.0.113.9");
    expect(ipOf("::ffff:10.0.0.7", "198.51.100.1, 203.0.113.9, 10.1.2.3")).toBe("203.0.113.9");
    expect(ipOf("127.0.0.1", "198.51.100.1,2001:db8::5")).toBe("2001:db8::5");
  });

  it("is the proxy's where the proxy says nothing that is an address", () => {
    expect(ipOf("10.0.0.7")).toBe("10.0.0.7");
    expect(ipOf("10.0.0.7", "203.0.113.9, unknown")).toBe("10.0.0.7");
    expect(ipOf("10.0.0.7", "<script>")).toBe("10.0.0.7");
    expect(ipOf(undefined)).toBeNull();
  });

  it("of a chain without an end is one of its proxies", () => {
    expect(ipOf("10.0.0.7", Array(10_000).fill("10.0.0.8").join(","))).toBe("10.0.0.8");
  });

  it("needs a list that can be read", () => {
    expect(() => addressList("proxy.lan", "QUARTERDECK_TRUSTED_PROXIES")).toThrow(/QUARTERDECK_TRUSTED_PROXIES/);
    expect(addressList("none", "X")("127.0.0.1")).toBe(false);
  });
});

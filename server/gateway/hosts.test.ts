import { describe, expect, it } from "vitest";
import { createHostRule } from "./hosts.ts";
import { isDirectLoopbackRequest } from "./loopback.ts";

const rule = createHostRule({
  url: "https://deck.example:8443",
  host: "0.0.0.0",
  allowed: "qd.lan, [2001:db8::7],10.0.0.7",
});

describe("a Host header", () => {
  it.each([
    "localhost",
    "LOCALHOST:3000",
    "127.0.0.1:1",
    "127.9.9.9",
    "[::1]:3000",
    "deck.example",
    "deck.example:8443",
    "Deck.Example.:1",
    "qd.lan:3000",
    "[2001:db8::7]:3000",
    "10.0.0.7",
    "192.0.2.10:3000",
  ])("of %s is ours", (header) => {
    expect(rule.allows(header, "::ffff:192.0.2.10")).toBe(true);
  });

  it.each([
    "",
    "evil.example",
    "sub.deck.example",
    "deck.example.evil.example",
    "qd.lan@evil.example",
    "qd.lan/evil",
    "qd.lan evil",
    "127.0.0.1.evil.example",
    "192.0.2.11",
    "0.0.0.0",
    "[::]",
    "::1",
    "none",
    "localhost:80:80",
    "localhost:port",
  ])("of %j is not", (header) => {
    expect(rule.allows(header, "192.0.2.10")).toBe(false);
  });

  it("may be what HOST says, unless that is everywhere", () => {
    const { allows } = createHostRule({ url: "http://127.0.0.1:3000", host: "deck.lan", allowed: "none" });
    expect([allows("deck.lan:3000", undefined), allows("none", undefined)]).toEqual([true, false]);
  });
});

describe("this machine itself", () => {
  const local = { url: "http://127.0.0.1:3000", machine: { host: "127.0.0.1" } };
  const asked = (remoteAddress: string, headers: Record<string, string>) =>
    ({ socket: { remoteAddress }, headers }) as unknown as Parameters<typeof isDirectLoopbackRequest>[0]; // all that is looked at
  const here = asked("127.0.0.1", { host: "127.0.0.1:3000" });

  it("asks where nobody else can", () => {
    expect(isDirectLoopbackRequest(here, local)).toBe(true);
    expect(isDirectLoopbackRequest(asked("::1", { host: "[::1]:3000" }), { ...local, machine: { host: "::1" } })).toBe(
      true,
    );
  });

  it.each([
    ["a server that is known by another address", here, { ...local, url: "https://deck.example" }],
    ["a server that listens everywhere", here, { ...local, machine: { host: "0.0.0.0" } }],
    ["another peer", asked("192.0.2.1", { host: "127.0.0.1:3000" }), local],
    ["another name", asked("127.0.0.1", { host: "deck.example" }), local],
    ["a proxy", asked("127.0.0.1", { host: "127.0.0.1:3000", "x-forwarded-proto": "https" }), local],
  ])("is not to be told with %s", (_title, request, server) => {
    expect(isDirectLoopbackRequest(request, server)).toBe(false);
  });
});

import { describe, expect, test } from "vitest";
import { lastFourOf, opened, sealed } from "./credential.ts";

const key = Buffer.alloc(32, 1);
const owner = { workspaceId: "w", connectionId: "c", baseUrl: "https://models.example/v1" };

describe("a sealed credential", () => {
  test("opens for its owner, under its key", () => {
    expect(opened(key, owner, sealed(key, owner, "sk-é"))).toBe("sk-é");
  });

  test("never looks the same twice, and never holds its text", () => {
    const [one, two] = [sealed(key, owner, "sk-secret"), sealed(key, owner, "sk-secret")];
    expect(one.equals(two)).toBe(false);
    expect(one.toString("latin1")).not.toContain("sk-secret");
  });

  test.each([
    ["another workspace", { ...owner, workspaceId: "x" }],
    ["another connection", { ...owner, connectionId: "x" }],
    ["another origin", { ...owner, baseUrl: "https://evil.example/v1" }],
    ["another port", { ...owner, baseUrl: "https://models.example:8443/v1" }],
  ])("opens nothing for %s", (_, other) => {
    expect(opened(key, other, sealed(key, owner, "sk"))).toBeNull();
  });

  test("still opens when only the path of its address changed", () => {
    const moved = { ...owner, baseUrl: "https://models.example/v2" };
    expect(opened(key, moved, sealed(key, owner, "sk"))).toBe("sk");
  });

  test("opens nothing under another key, cut short, or with any bit turned", () => {
    const whole = sealed(key, owner, "sk-secret");
    expect(opened(Buffer.alloc(32, 2), owner, whole)).toBeNull();
    for (let length = 0; length < whole.length; length += 1)
      expect(opened(key, owner, whole.subarray(0, length))).toBeNull();
    for (let at = 0; at < whole.length; at += 1) {
      const bent = Buffer.from(whole);
      bent.writeUInt8(bent.readUInt8(at) ^ 1, at);
      expect(opened(key, owner, bent)).toBeNull();
    }
  });
});

test("four characters of a long key are shown, none of a short one", () => {
  expect(lastFourOf("sk-0123456789abcd")).toBe("abcd");
  expect(lastFourOf("short-key")).toBeNull();
});

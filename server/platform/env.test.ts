import { expect, test } from "vitest";
import { commandLine, readEnv } from "./env.ts";

test("an empty environment has every default", () => {
  expect(readEnv({})).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    dataDir: "./.quarterdeck",
    databaseUrl: undefined,
    url: "http://127.0.0.1:3000",
    logLevel: "warn",
  });
});

test("an empty variable counts as absent", () => {
  expect(readEnv({ PORT: "", DATABASE_URL: "", LOG_LEVEL: "" })).toMatchObject({ port: 3000, databaseUrl: undefined });
});

test("the address follows the port, and QUARTERDECK_URL wins", () => {
  expect(readEnv({ PORT: "4100" }).url).toBe("http://127.0.0.1:4100");
  expect(readEnv({ PORT: "4100", QUARTERDECK_URL: "https://deck.example/" }).url).toBe("https://deck.example");
});

test.each([
  ["PORT", "eighty", /^StartupError: PORT must be a port number .*; it is "eighty"\.$/],
  ["PORT", "70000", /PORT must be/],
  ["QUARTERDECK_URL", "ftp://x", /QUARTERDECK_URL must be an address such as/],
  ["LOG_LEVEL", "loud", /LOG_LEVEL must be one of trace, debug/],
])("%s=%s is refused by name, with what to write instead", (name, value, sentence) => {
  expect(() => readEnv({ [name]: value })).toThrow(expect.objectContaining({ name: "StartupError" }));
  expect(trying({ [name]: value })).toMatch(sentence);
});

test("a wrong secret is not repeated", () => {
  const said = trying({ QUARTERDECK_SESSION_SECRET: "hunter2" });
  expect(said).toMatch(/at least 32 characters/);
  expect(said).not.toContain("hunter2");
});

test("a replica is absent unless it is named", () => {
  expect(readEnv({ DATABASE_READ_URL: "postgresql://a:b@c/d" }).databaseReadUrl).toBe("postgresql://a:b@c/d");
  expect(readEnv({ DATABASE_READ_URL: "" }).databaseReadUrl).toBeUndefined();
});

test("a command names the way in which this installation was started", () => {
  expect(commandLine({})).toBe("npm run -s quarterdeck --");
  expect(commandLine({ QUARTERDECK_COMMAND: "" })).toBe("npm run -s quarterdeck --");
  expect(commandLine({ QUARTERDECK_COMMAND: "npx quarterdeck" })).toBe("npx quarterdeck");
});

function trying(source: Record<string, string>): string {
  try {
    return JSON.stringify(readEnv(source));
  } catch (error) {
    return String(error);
  }
}

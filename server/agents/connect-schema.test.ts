import { expect, test } from "vitest";
import { CONNECTED_CLIENTS, connectLine, proposedAgentName, tryConnectLine } from "./connect-schema.ts";

const parts = { client: "codex", url: "https://deck.test/", name: "laptop of Ada", token: "qdj_abc" } as const;

test("each client has a line of one line, Claude Code and docker-agent first, plain HTTP last", () => {
  expect(CONNECTED_CLIENTS.slice(0, 2)).toEqual(["claude-code", "docker-agent"]);
  expect(CONNECTED_CLIENTS.at(-1)).toBe("http");
  for (const client of CONNECTED_CLIENTS) {
    const line = connectLine({ ...parts, client });
    expect(line).not.toContain("\n");
    expect(line).toContain("https://deck.test/");
    expect(line).toContain("laptop of Ada");
  }
});

test.each([
  [{ name: "x'; rm -rf ~; '" }],
  [{ url: "https://deck.test/$(id)" }],
  [{ url: "https://deck.test/' -o x" }],
  [{ token: "qdj_a; id" }],
])("%j makes no line: it would be shell text of its own", (part) => {
  expect(() => connectLine({ ...parts, ...part })).toThrow();
  expect(tryConnectLine({ ...parts, ...part })).toMatchObject({ line: null, problem: expect.stringMatching(/.+/) });
});

test("a name is proposed that no agent has", () => {
  expect(proposedAgentName("codex", new Set())).toBe("codex");
  expect(proposedAgentName("codex", new Set(["codex", "codex-2"]))).toBe("codex-3");
  expect(proposedAgentName("http", new Set(["http-agent"]))).toBe("http-agent-2");
});

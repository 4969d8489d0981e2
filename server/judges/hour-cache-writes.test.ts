/** An answer whose provider says how long it keeps a cache write, over real HTTP. */
import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { askProvider } from "./ask-provider.ts";
import { costOfUsage } from "./price.ts";

let usage: object = {};
const server = createServer((_request, response) => {
  const message = { id: "m", type: "message", role: "assistant", model: "claude", stop_reason: "end_turn" };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ ...message, stop_sequence: null, content: [{ type: "text", text: "{}" }], usage }));
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const price = {
  ...{ model: "claude", input: 3_000_000_000n, output: 15_000_000_000n, cachedInput: 300_000_000n },
  ...{ cacheWrite: 3_750_000_000n, hourCacheWrite: 6_000_000_000n },
};

async function ask(reported: object) {
  usage = { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 0, ...reported };
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const endpoint = { name: "anthropic", provider: "anthropic", credential: "k", fetch } as const;
  const question = { system: "s", user: "u" };
  const answer = await askProvider(
    { ...endpoint, baseUrl: `http://127.0.0.1:${port}/v1` },
    "claude",
    question,
    AbortSignal.timeout(20_000),
  );
  return { answer, cost: costOfUsage(price, answer.usage, answer.hourCacheWriteTokens) };
}
const REST = 10n * 3_000n + 2n * 15_000n;

test("cache writes for an hour have their own price, and the others the normal one", async () => {
  const cache_creation = { ephemeral_5m_input_tokens: 600, ephemeral_1h_input_tokens: 400 };
  const { answer, cost } = await ask({ cache_creation_input_tokens: 1_000, cache_creation });
  expect(answer).toMatchObject({ usage: { cacheWriteTokens: 1_000 }, hourCacheWriteTokens: 400 });
  expect(cost).toBe(REST + 600n * 3_750n + 400n * 6_000n);
});

test("writes of an unknown length have the normal price", async () => {
  const { answer, cost } = await ask({ cache_creation_input_tokens: 1_000 });
  expect(answer.hourCacheWriteTokens).toBeUndefined();
  expect(cost).toBe(REST + 1_000n * 3_750n);
});

test.each([-1, 0.5, "400", 10_000])("a count that cannot be is no reason for another sum: %j", async (hostile) => {
  const cache_creation = { ephemeral_1h_input_tokens: hostile };
  const { cost } = await ask({ cache_creation_input_tokens: 1_000, cache_creation });
  expect(cost).toBe(REST + 1_000n * (hostile === 10_000 ? 6_000n : 3_750n));
});

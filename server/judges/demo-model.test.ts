import { describe, expect, test } from "vitest";
import { answerAsDemoModel, DEMO_MODEL_URL, isDemoModel } from "./demo-model.ts";

const prompt = (rules: string, data: string) =>
  `Read it.\n${rules}\n<data aaaaaaaaaaaaaaaaaaaa>\n${data}\n</data aaaaaaaaaaaaaaaaaaaa>`;
async function decision(content: string): Promise<unknown> {
  const answer = await answerAsDemoModel(JSON.stringify({ messages: [{ role: "user", content }] })).json();
  return JSON.parse(answer.choices[0].message.content).decision;
}

describe("the demo's model", () => {
  test("follows the lines of the prompt, an allow first, and reads only the data", async () => {
    const rules = "Deny: refund, Password\nAsk: contract";
    expect(await decision(prompt(rules, '{"text":"Your refund is on its way"}'))).toBe("deny");
    expect(await decision(prompt(rules, '{"text":"the contract"}'))).toBe("ask");
    expect(await decision(prompt(rules, '{"text":"Thank you"}'))).toBe("allow");
    expect(await decision(prompt(`${rules}\nAllow: never ask`, '{"text":"We never ask for a password"}'))).toBe(
      "allow",
    );
    expect(await decision("Deny: refund\nno data")).toBe("allow");
  });

  test("answers only at its own address, and refuses what is no question", () => {
    expect(isDemoModel(new URL(DEMO_MODEL_URL))).toBe(true);
    expect(isDemoModel(new URL("https://model.demo.invalid.example.com/v1"))).toBe(false);
    for (const body of ["{", "{}", null, '{"messages":[{}]}']) expect(answerAsDemoModel(body).status).toBe(400);
  });
});

/**
 * The demo's model: a script in this process, at an address that no network has. It follows only the lines `Allow:`,
 * `Ask:` and `Deny:` of a prompt, so that a change of the prompt changes its answers. It is no judge for real calls.
 */
import { z } from "zod";

const HOST = "model.demo.invalid";
export const DEMO_MODEL_URL = `https://${HOST}/v1`;
/** In the words of the provider. */
const MODEL = "demo-script";
/** A model's tokens, as a rule of thumb. */
const TOKEN_CHARS = 4;
const ORDER = ["allow", "deny", "ask"] as const;

export const isDemoModel = (url: URL): boolean => url.hostname === HOST;

const question = z.object({
  messages: z.array(
    z.object({
      role: z.string(),
      content: z.union([z.string(), z.array(z.object({ text: z.string() }))]),
    }),
  ),
});

/** The answer of a chat API to a request's body. HTTP 400 for a body without messages. */
export function answerAsDemoModel(body: unknown): Response {
  const parsed = question.safeParse(typeof body === "string" ? jsonOf(body) : null);
  if (!parsed.success) return Response.json({ error: { message: "no messages" } }, { status: 400 });
  const texts = parsed.data.messages.map(({ role, content }) => ({
    role,
    text: typeof content === "string" ? content : content.map(({ text }) => text).join(""),
  }));
  const prompt = texts.find(({ role }) => role === "user")?.text ?? "";
  const content = JSON.stringify(decisionOn(prompt));
  const [asked, said] = [texts.map(({ text }) => text).join("").length, content.length].map(tokensOf);
  return Response.json({
    ...{ id: MODEL, object: "chat.completion", created: 1, model: MODEL },
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
    usage: { prompt_tokens: asked, completion_tokens: said, total_tokens: (asked ?? 0) + (said ?? 0) },
  });
}

const tokensOf = (characters: number): number => Math.ceil(characters / TOKEN_CHARS);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The first word that the text between the data marks contains: of `Allow:`, then of `Deny:`, then of `Ask:`. */
function decisionOn(prompt: string): { decision: (typeof ORDER)[number]; reason: string } {
  const data = (/<data \w+>\n([\s\S]*?)\n<\/data/.exec(prompt)?.[1] ?? "").toLowerCase();
  for (const decision of ORDER) {
    const word = wordsOf(prompt, decision).find((one) => data.includes(one));
    if (word !== undefined) return { decision, reason: `The demo's script found "${word}".` };
  }
  return { decision: "allow", reason: "The demo's script found none of its words." };
}

function wordsOf(prompt: string, decision: string): string[] {
  const lines = prompt.split("\n").filter((line) => line.toLowerCase().startsWith(`${decision}:`));
  return lines
    .flatMap((line) => line.slice(decision.length + 1).split(","))
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== "");
}

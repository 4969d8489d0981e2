/** An agent loop of the AI SDK whose one tool is governed by Quarterdeck. */
import { createQuarterdeck, governTools } from "@quarterdeck/client";
import { generateText, type LanguageModel, stepCountIs, tool } from "ai";
import { z } from "zod";

export async function runAgent(model: LanguageModel, prompt: string, server: { url: string; key: string }) {
  const shell = tool({
    description: "Runs a shell command.",
    inputSchema: z.object({ cmd: z.string() }),
    execute: async ({ cmd }) => `ran ${cmd}`,
  });
  const quarterdeck = createQuarterdeck(server);
  const session = { sessionId: crypto.randomUUID(), cwd: "/work" };
  const tools = governTools(quarterdeck, session, { shell });
  await quarterdeck.dispatch("session_start", { session_id: session.sessionId, cwd: session.cwd });
  const { text } = await generateText({ model, prompt, tools, stopWhen: stepCountIs(10) });
  await quarterdeck.dispatch("session_end", { session_id: session.sessionId });
  return { text, sessionId: session.sessionId };
}

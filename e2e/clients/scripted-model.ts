/**
 * A model on loopback that asks for shell commands, one after the other, and then ends, in the four ways that clients speak: Anthropic's
 * messages, OpenAI's responses and chat completions, and Gemini's generateContent. Without a list it asks for the one of the prompt's line "run: ...".
 */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

export interface ScriptedModel {
  readonly url: string;
  /** The results of tools that the model was given, as JSON text. */
  results(): string;
  /** The requests to generate that were answered. */
  requests(): number;
  stop(): Promise<void>;
}

const BODY_BYTES_MAX = 16 * 1024 * 1024;
const COMMAND = /run: ([\w -]+)/;
const DONE = "Done.";

const anthropic = z.object({
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.object({ name: z.string() })).optional(),
  stream: z.boolean().optional(),
});
const openai = z.object({
  input: z.array(z.looseObject({ type: z.string().optional() })),
  tools: z.array(z.looseObject({ name: z.string().optional(), type: z.string() })).optional(),
});
const chat = z.object({
  messages: z.array(z.looseObject({ role: z.string() })),
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
  stream: z.boolean().optional(),
});
const gemini = z.object({
  contents: z.array(z.object({ parts: z.array(z.looseObject({})) })),
  tools: z.unknown().optional(),
});

/** The words of one protocol: null where a path is not of it. */
type Protocol = (path: string, body: unknown, turn: Turn) => ((answer: ServerResponse) => void) | null;

interface Turn {
  /** The command that follows these results of tools, which are kept; empty at the end. */
  next(results: readonly unknown[]): string;
}

export async function scriptedModel(commands?: readonly string[]): Promise<ScriptedModel> {
  // A client sends all of them again with each request.
  const kept = new Set<string>();
  let requests = 0;
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of request) {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) return request.socket.destroy();
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString("utf8");
    const path = (request.url ?? "").split("?")[0] ?? "";
    const script = commands ?? [COMMAND.exec(text)?.[1]?.trim() ?? ""];
    const turn: Turn = {
      next(results) {
        for (const result of results) kept.add(JSON.stringify(result));
        return script[results.length] ?? "";
      },
    };
    for (const protocol of [speakAnthropic, speakOpenai, speakChat, speakGemini]) {
      const say = request.method === "POST" ? protocol(path, parsed(text), turn) : null;
      if (say) {
        if (!/count_?tokens$/i.test(path)) requests += 1;
        return say(answer);
      }
    }
    return json(answer, { data: [], models: [] });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server's address
    requests: () => requests,
    results: () => `[${[...kept].join(",")}]`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function json(answer: ServerResponse, value: unknown): void {
  answer.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function events(answer: ServerResponse, list: readonly object[]): void {
  answer.writeHead(200, { "content-type": "text/event-stream" });
  for (const one of list) {
    const name = "type" in one ? `event: ${one.type}\n` : "";
    answer.write(`${name}data: ${JSON.stringify(one)}\n\n`);
  }
  answer.end();
}

const speakAnthropic: Protocol = (path, given, turn) => {
  if (path.endsWith("/messages/count_tokens")) return (answer) => json(answer, { input_tokens: 1 });
  if (!path.endsWith("/messages")) return null;
  const body = anthropic.parse(given);
  const blocks = body.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const givenBack = blocks.filter((block) => block?.type === "tool_result");
  const command = turn.next(givenBack);
  const calls = command !== "" && body.tools?.some(({ name }) => name === "Bash");
  const block = calls
    ? { type: "tool_use", id: `toolu_${givenBack.length}`, name: "Bash", input: { command, description: "Scripted" } }
    : { type: "text", text: DONE };
  const message = {
    id: `msg_${givenBack.length}`,
    type: "message",
    role: "assistant",
    model: "scripted",
    usage: USAGE,
  };
  const stop_reason = calls ? "tool_use" : "end_turn";
  if (body.stream !== true)
    return (answer) => json(answer, { ...message, content: [block], stop_reason, stop_sequence: null });
  const opened = calls ? { ...block, input: {} } : { type: "text", text: "" };
  const delta = calls
    ? { type: "input_json_delta", partial_json: JSON.stringify({ command, description: "Scripted" }) }
    : { type: "text_delta", text: DONE };
  return (answer) =>
    events(answer, [
      { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
      { type: "content_block_start", index: 0, content_block: opened },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: USAGE },
      { type: "message_stop" },
    ]);
};
const USAGE = { input_tokens: 1, output_tokens: 1 };

/** The arguments of each shell tool that Codex has had. */
const OPENAI_SHELLS: Readonly<Record<string, (command: string) => object>> = {
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ["sh", "-c", command] }),
};

const speakOpenai: Protocol = (path, given, turn) => {
  if (!path.endsWith("/responses")) return null;
  const body = openai.parse(given);
  const results = body.input.filter(({ type }) => type === "function_call_output");
  const command = turn.next(results);
  const at = results.length;
  const shell = body.tools?.find(({ name }) => name !== undefined && Object.hasOwn(OPENAI_SHELLS, name))?.name;
  const input = shell === undefined ? undefined : OPENAI_SHELLS[shell]?.(command);
  const calls = command !== "" && input !== undefined;
  const item = calls
    ? { type: "function_call", id: `fc_${at}`, call_id: `call_${at}`, name: shell, arguments: JSON.stringify(input) }
    : {
        type: "message",
        id: `msg_${at}`,
        role: "assistant",
        content: [{ type: "output_text", text: DONE, annotations: [] }],
      };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  return (answer) =>
    events(answer, [
      { type: "response.created", response: { id: `resp_${at}` } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id: `resp_${at}`, output: [item], usage } },
    ]);
};

const speakChat: Protocol = (path, given, turn) => {
  if (!path.endsWith("/chat/completions")) return null;
  const body = chat.parse(given);
  const results = body.messages.filter(({ role }) => role === "tool");
  const command = turn.next(results);
  const shell = body.tools?.map((tool) => tool.function.name).find((name) => Object.hasOwn(CHAT_SHELLS, name));
  const input = shell === undefined ? undefined : CHAT_SHELLS[shell]?.(command);
  const calls = command !== "" && input !== undefined;
  const call = {
    ...{ index: 0, id: `call_${results.length}`, type: "function" },
    function: { name: shell, arguments: JSON.stringify(input) },
  };
  const message = { role: "assistant", content: calls ? null : DONE, ...(calls && { tool_calls: [call] }) };
  const finish_reason = calls ? "tool_calls" : "stop";
  const head = { id: `chat_${results.length}`, created: 1, model: "scripted" };
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  const whole = { ...head, object: "chat.completion", choices: [{ index: 0, message, finish_reason }], usage };
  if (body.stream !== true) return (answer) => json(answer, whole);
  const chunk = { ...head, object: "chat.completion.chunk" };
  return (answer) =>
    events(answer, [
      { ...chunk, choices: [{ index: 0, delta: message, finish_reason: null }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage },
    ]);
};
/** The shell tool of Gemini CLI and of its descendants. */
const GOOGLE_SHELL = "run_shell_command";
/** The arguments of each shell tool of clients that speak chat completions. */
const CHAT_SHELLS: Readonly<Record<string, (command: string) => object>> = {
  [GOOGLE_SHELL]: (command) => ({ command, description: "Scripted", is_background: false }),
  /** docker-agent's. */
  shell: (cmd) => ({ cmd, cwd: "." }),
};

const speakGemini: Protocol = (path, given, turn) => {
  const method = /\/models\/[^/]+:(\w+)$/.exec(path)?.[1];
  if (method === "countTokens") return (answer) => json(answer, { totalTokens: 1 });
  if (method !== "generateContent" && method !== "streamGenerateContent") return null;
  const body = gemini.parse(given);
  const results = body.contents.flatMap(({ parts }) => parts.filter((part) => part.functionResponse));
  const command = turn.next(results);
  const hasShell = JSON.stringify(body.tools ?? []).includes(`"${GOOGLE_SHELL}"`);
  const calls = command !== "" && hasShell;
  const part = calls
    ? { functionCall: { name: GOOGLE_SHELL, args: { command, description: "Scripted" } } }
    : { text: hasShell ? DONE : "{}" };
  const said = {
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
  return (answer) => (method === "generateContent" ? json(answer, said) : events(answer, [said]));
};

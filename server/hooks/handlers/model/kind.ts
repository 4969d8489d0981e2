/** `type: model`: asks a model with the hook's prompt and the input, and parses the answer with the hook's schema. */

import { askOnRecord, QUESTION_CHARS_MAX } from "../../ask-on-record.ts";
import type { HookDefinition } from "../../contract/hook.ts";
import type { HookInput } from "../../contract/input.ts";
import type { JudgeCall } from "../../contract/judge.ts";
import { truncateText } from "../../contract/truncate-text.ts";
import type { HandlerCall, HandlerKind, HandlerReply, HookPath } from "../../engine/ports.ts";
import type { ModelAnswer, ModelClient } from "./client.ts";
import { questionOf } from "./question.ts";
import { ReplyError } from "./reply.ts";
import { type ReplySchema, replySchemas, type SchemaLookup } from "./schemas.ts";

export interface ModelKindOptions {
  /** Reply schemas in addition to `pre_tool_use_decision`. */
  readonly schemas?: readonly ReplySchema[];
  /** Masks the text for a model, which was made of this input. */
  readonly redact?: Redact;
}

type Redact = (text: string, input: HookInput) => string | Promise<string>;

interface Judge {
  readonly client: ModelClient;
  readonly schemaNamed: SchemaLookup;
  readonly redact: Redact;
}

/** The handler kind for model hooks. Every question goes to `client`. Throws if a schema has no name. */
export function modelKind(client: ModelClient, options: ModelKindOptions = {}): HandlerKind {
  const redact = options.redact ?? ((text: string) => text);
  const judge: Judge = { client, schemaNamed: replySchemas(options.schemas), redact };
  return {
    type: "model",
    build: (hook, place) => ({ run: (call, signal) => judged(judge, { hook, place, call, signal }) }),
  };
}

interface Running {
  readonly hook: HookDefinition;
  readonly place: HookPath;
  readonly call: HandlerCall;
  readonly signal: AbortSignal;
}

async function judged({ client, schemaNamed, redact }: Judge, running: Running): Promise<HandlerReply> {
  const { hook, place, call, signal } = running;
  if (!hook.model) return failed("model hook requires a non-empty model");
  if (!hook.prompt) return failed("model hook requires a non-empty prompt");
  const schema = schemaNamed(hook.schema ?? "", call.profile);
  if (!schema) return failed(`model hook: unknown schema ${JSON.stringify(hook.schema)}`);

  const refused = schema.refuses?.(call);
  if (refused !== undefined) return failed(refused);

  const { model, schema: schemaName, judge: label } = hook;
  const asked: JudgeCall = { model, ...(schemaName && { schema: schemaName }), ...(label && { label }) };
  let question: Awaited<ReturnType<typeof questionOf>>;
  try {
    const asking = { ...textsOf(hook), schema, input: call.input, profile: call.profile };
    question = await questionOf(asking, redact, signal);
  } catch (error) {
    return failed(said(error));
  }
  const { system, user, boundary } = question;
  asked.system = system;
  asked.prompt = truncateText(user, QUESTION_CHARS_MAX, "");
  call.note(asked);
  if (user.length > QUESTION_CHARS_MAX) {
    asked.cause = "too_large";
    return failed(`render prompt: the prompt is longer than ${QUESTION_CHARS_MAX} characters`);
  }

  let answer: ModelAnswer;
  try {
    const { shape } = schema;
    const { timeoutMs } = call;
    const optional = { ...(shape && { schema: shape }), ...(label && { label }) };
    const whole = { model, system, user, boundary, asker: place, timeoutMs, ...optional };
    answer = await askOnRecord(
      asked,
      signal,
      () => client.ask(whole, signal),
      (facts) => facts,
    );
  } catch (error) {
    return failed(`model ${hook.model}: ${said(error)}`);
  }
  try {
    const output = schema.read(answer.text, call);
    answer.keep?.(isAllow(output));
    return { kind: "answered", output };
  } catch (error) {
    asked.cause = error instanceof ReplyError ? error.code : "unparsable";
    return failed(`interpret reply: ${said(error)}`);
  }
}

const isAllow = (output: ReturnType<ReplySchema["read"]>): boolean =>
  output?.hook_specific_output?.permission_decision === "allow" || output?.continue === true;

const textsOf = ({ prompt = "", system_prompt }: HookDefinition) => ({
  prompt,
  ...(system_prompt && { systemPrompt: system_prompt }),
});

function failed(message: string): HandlerReply {
  return { kind: "failed", message };
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

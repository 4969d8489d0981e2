/** A model stub that returns a case's scripted answers and records its questions. */
import { setTimeout as wait } from "node:timers/promises";
import type { ModelClient } from "../index.ts";
import type { ModelReply } from "./cases.ts";

export interface ModelCall {
  readonly model: string;
  readonly user: string;
}

/** A question to a model, with the system message and the name of the structured output. */
export interface ModelRequest extends ModelCall, Readonly<Record<string, unknown>> {
  readonly system: string;
  readonly schema: string | null;
}

export function stubClient(replies: Readonly<Record<string, ModelReply>>, requests: ModelRequest[]): ModelClient {
  return {
    async ask({ model, user, system, schema }, signal) {
      requests.push({ model, user, system, schema: schema?.name ?? null });
      const reply = Object.hasOwn(replies, model) ? replies[model] : undefined;
      if (reply === undefined) throw new Error("the case has no reply for this model");
      if (typeof reply === "string") return { text: reply };
      if ("error" in reply) throw new Error(reply.error);
      if (reply.delay_ms) await wait(reply.delay_ms, undefined, { signal });
      return { text: reply.reply };
    },
  };
}

/** A model that says what a case wants it to say, and remembers what it was asked. */
import { setTimeout as wait } from "node:timers/promises";
import type { ModelClient } from "../index.ts";
import type { ModelReply } from "./cases.ts";

export interface ModelCall {
  readonly model: string;
  readonly user: string;
}

export function stubClient(replies: Readonly<Record<string, ModelReply>>, calls: ModelCall[]): ModelClient {
  return {
    async ask({ model, user }, signal) {
      calls.push({ model, user });
      const reply = Object.hasOwn(replies, model) ? replies[model] : undefined;
      if (reply === undefined) throw new Error("the case has no reply for this model");
      if (typeof reply === "string") return { text: reply };
      if ("error" in reply) throw new Error(reply.error);
      if (reply.delay_ms) await wait(reply.delay_ms, undefined, { signal });
      return { text: reply.reply };
    },
  };
}

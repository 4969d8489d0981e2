/** The model clients for trying a policy: one that asks nobody, and one that plays back a case's stored replies. */
import { type ModelClient, ModelRefusal } from "@quarterdeck/hooks";
import type { JudgeReply } from "./schema.ts";

/** A client that puts no question to anybody and tells `onUnasked` which hook had one. */
export function unaskedClient(onUnasked: (path: string) => void): ModelClient {
  return {
    ask({ asker }) {
      onUnasked(asker.path);
      return Promise.reject(
        new ModelRefusal("cancelled", "not asked: on the bench judges are asked only when told to"),
      );
    },
  };
}

/** A client that plays back what a case holds for the hook, by path or else by name, and else asks nobody. */
export function storedClient(replies: readonly JudgeReply[], onUnasked: (path: string) => void): ModelClient {
  const nobody = unaskedClient(onUnasked);
  return {
    ask(question, signal) {
      const { path, name } = question.asker;
      const stored = replies.find(({ hook }) => hook === path) ?? replies.find(({ hook }) => hook === name);
      if (!stored) return nobody.ask(question, signal);
      if ("fails" in stored)
        return Promise.reject(new ModelRefusal(stored.fails, `the case says that it fails: ${stored.fails}`));
      return Promise.resolve({ text: stored.reply });
    },
  };
}

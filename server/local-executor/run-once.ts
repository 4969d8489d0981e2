/** Runs each hook once in a dispatch: when the engine runs it again, it gets the first reply. */
import type { HandlerKind, HandlerReply, HookPath, HookReport } from "@quarterdeck/hooks";

export interface Remembered {
  /** `kind`, running each of its hooks at most once. */
  once(kind: HandlerKind): HandlerKind;
  /** After a dispatch: hooks that ended without a word (too late, cancelled) have failed for good. */
  settle(hooks: readonly HookReport[]): void;
}

const nameOf = ({ origin, path }: Pick<HookPath, "origin" | "path">) => `${origin.policy ?? ""}\n${path}`;

export function remembered(): Remembered {
  const replies = new Map<string, HandlerReply>();
  const isSettled = new Set<string>();
  return {
    once: (kind) => ({
      type: kind.type,
      build(hook, place, profile) {
        const handler = kind.build(hook, place, profile);
        const name = nameOf(place);
        return {
          ...(handler.runsLast && { runsLast: true }),
          ...(handler.patchesArguments && { patchesArguments: true }),
          ...(handler.failsClosed && { failsClosed: true }),
          async run(call, signal) {
            const known = replies.get(name);
            if (known) return known;
            const reply = await handler.run(call, signal);
            if (!isSettled.has(name)) replies.set(name, reply);
            return reply;
          },
        };
      },
    }),
    settle(hooks) {
      for (const { origin, path, outcome, error, stdout, stderr } of hooks) {
        const name = nameOf({ origin, path });
        if (isSettled.has(name)) continue;
        isSettled.add(name);
        const isLate = outcome.kind === "failed" && LATE.has(outcome.failure.code);
        if (isLate || !replies.has(name)) replies.set(name, { kind: "failed", message: error ?? "", stdout, stderr });
      }
    },
  };
}

/** The failures after which a late reply is ignored. */
const LATE: ReadonlySet<string> = new Set(["timed_out", "cancelled", "panicked", "unserializable"]);

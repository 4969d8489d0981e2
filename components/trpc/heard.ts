/**
 * The changes that this tab has heard of, for the header of its queries: the server then gives it an answer that began
 * after them, and may be another viewer's. Without a live stream there is no header, and each answer is the tab's own.
 */
import type { TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { HEARD_HEADER, heardText } from "@/server/access/heard-schema";
import type { AppRouter } from "@/server/composition/router";

export interface HeardChanges {
  /** The position in a message of the stream. */
  readonly note: (position: string) => void;
  /** The stream is lost or paused: the next change will not be heard. */
  readonly forget: () => void;
  /** An act of this tab was answered; queries from now on see it. */
  readonly noteOwnChange: () => void;
  readonly headers: () => Record<string, string>;
}

export function createHeardChanges(nowMs: () => number = () => performance.now()): HeardChanges {
  let position: string | null = null;
  let changedAtMs: number | null = null;
  return {
    note(next) {
      position = next;
    },
    forget() {
      position = null;
    },
    noteOwnChange() {
      changedAtMs = nowMs();
    },
    headers: () =>
      position === null
        ? {}
        : { [HEARD_HEADER]: heardText(position, changedAtMs === null ? null : nowMs() - changedAtMs) },
  };
}

/** This tab has one stream and one client. */
export const heardChanges = createHeardChanges();

/** Notes each answer to an act, a refusal too: it may have come after the commit. */
export const ownChangesLink =
  ({ noteOwnChange }: HeardChanges = heardChanges): TRPCLink<AppRouter> =>
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const noting = op.type === "mutation" ? noteOwnChange : () => undefined;
      return next(op).subscribe({
        next(value) {
          noting();
          observer.next(value);
        },
        error(error) {
          noting();
          observer.error(error);
        },
        complete: () => observer.complete(),
      });
    });

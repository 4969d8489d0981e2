/** Gaps in a stream of rows. Each makes lists read again, so the first is sent at once and later ones together. */
import { READ_AGAIN_MS } from "./schema.ts";

/** While true, some changes are only sent as gaps, and lists follow them every five seconds. */
export interface Pace {
  readonly isSlowed: boolean;
}

export interface Gaps {
  add(): void;
  isSlowed(): boolean;
  close(): void;
}

/** `send`: null for a gap, at most once in `everyMs`. */
export function createGaps(send: (news: Pace | null) => void, everyMs = READ_AGAIN_MS): Gaps {
  let pause: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let isSlowed = false;

  function sendGap(): void {
    isDue = false;
    pause = setTimeout(endPause, everyMs);
    pause.unref();
    send(null);
  }

  function endPause(): void {
    pause = undefined;
    if (isDue) sendGap();
    else if (isSlowed) {
      isSlowed = false;
      send({ isSlowed });
    }
  }

  return {
    add() {
      if (pause === undefined) return sendGap();
      isDue = true;
      if (isSlowed) return;
      isSlowed = true;
      send({ isSlowed });
    },
    isSlowed: () => isSlowed,
    close: () => clearTimeout(pause),
  };
}

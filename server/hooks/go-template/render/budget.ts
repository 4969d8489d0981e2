/** The limits of one rendering. A template that loops or grows without end fails early. */
import { RenderError } from "./render-error.ts";

const STEPS_MAX = 200_000;
/** Counts all intermediate text, not only the output. */
const BYTES_MAX = 16 * 1_048_576;
const DEPTH_MAX = 1_000;

export class Budget {
  #steps = 0;
  #bytes = 0;
  #depth = 0;

  step(): void {
    this.#steps++;
    if (this.#steps > STEPS_MAX) throw new RenderError(`the template takes more than ${STEPS_MAX} steps`);
  }

  /** Counts bytes that were produced or scanned. */
  bytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes > BYTES_MAX) throw new RenderError(`the template makes more than ${BYTES_MAX} bytes of text`);
  }

  /** Runs `inner` one level deeper. */
  deeper<T>(inner: () => T): T {
    this.enter();
    const result = inner();
    this.leave();
    return result;
  }

  enter(): void {
    this.#depth++;
    if (this.#depth > DEPTH_MAX) throw new RenderError(`exceeded maximum depth (${DEPTH_MAX})`);
  }

  leave(): void {
    this.#depth--;
  }
}

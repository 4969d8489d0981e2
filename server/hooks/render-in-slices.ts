/** Renders a template without blocking other work: a template may run for a second. */
import { setImmediate } from "node:timers/promises";
import { type RenderOptions, renderInSteps, type Template, textOf, type Value } from "@quarterdeck/go-template";

/** Milliseconds of rendering between two pauses for other work. */
const SLICE_MS = 8;

/**
 * The text of a template. Invalid bytes, such as a split character, become U+FFFD.
 *
 * Errors: those of rendering, and the reason of an aborted `signal`.
 */
export async function renderInSlices(
  template: Template,
  data: Value,
  signal?: AbortSignal,
  options?: RenderOptions,
): Promise<string> {
  const work = renderInSteps(template, data, options);
  let sliceMs = performance.now();
  for (;;) {
    const { done, value } = work.next();
    if (done) return textOf(value);
    if (performance.now() - sliceMs <= SLICE_MS) continue;
    await setImmediate();
    signal?.throwIfAborted();
    sliceMs = performance.now();
  }
}

/** Tasks for the pool's tests. */
import { threadId } from "node:worker_threads";
import { AppError } from "../../errors/app-error.ts";
import { inheritedEnvironment } from "../env.ts";

export const where = (_nothing: null): { threadId: number; environment: number } => ({
  threadId,
  environment: Object.keys(inheritedEnvironment()).length,
});

export function never(_nothing: null): never {
  for (;;);
}

export function refuse(says: string): never {
  throw new AppError("invalid_input", "detail", { says, pointer: "/a" });
}

export function grow(_nothing: null): number {
  const all: number[][] = [];
  for (;;) all.push(Array.from({ length: 100_000 }, (_, at) => at));
}

/** Waits until the shared number is no longer 0. */
export function wait(gate: SharedArrayBuffer): string {
  Atomics.wait(new Int32Array(gate), 0, 0);
  return "released";
}

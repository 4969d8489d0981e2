/** Runs in a worker thread of the pool (worker-pool.ts): one task of one module, its refusal as data. */
const modules = new Map();

/** A thread does not inherit how its process reads TypeScript; as JavaScript (scripts/programs.mjs) it needs nothing. */
async function load(module) {
  if (module.endsWith(".ts")) (await import("tsx/esm/api")).register();
  return import(module);
}

/** @param {{ module: string, name: string, input: unknown, begun: SharedArrayBuffer }} call */
export default async function run({ module, name, input, begun }) {
  try {
    const known = modules.get(module) ?? load(module);
    modules.set(module, known);
    const task = (await known)[name];
    if (typeof task !== "function") throw new Error(`${module} has no task ${name}`);
    // From here on the task's own time counts.
    Atomics.store(new Int32Array(begun), 0, 1);
    return { kind: "done", value: await task(input) };
  } catch (error) {
    if (error?.name !== "AppError") throw error;
    const { says, pointer, problems } = error.options;
    return { kind: "refused", code: error.code, detail: error.detail, options: { says, pointer, problems } };
  }
}

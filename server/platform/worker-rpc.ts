/**
 * Messages between the processes of one node: any of them may ask all of them, itself included. The supervisor passes
 * questions on. A process that does not answer in time is left out, so that a dead process delays nothing.
 */
import { z } from "zod";

export interface WorkerRpc {
  /** The number of processes with the same role: limits of a node are divided by it. */
  readonly workers: number;
  /** False when there are other processes. */
  readonly isAlone: boolean;
  /** The answers of all processes that know the question. */
  ask(question: string, input?: unknown): Promise<readonly unknown[]>;
  /** Sets what this process says. `undefined` says nothing. */
  answer(question: string, how: (input: unknown) => unknown): void;
  /** Sends a value to the other processes, those that are never asked included. It is not confirmed. */
  broadcast(topic: string, value: unknown): void;
  /** Sets what this process does with the values that others broadcast. */
  onBroadcast(topic: string, listener: (value: unknown) => void): void;
}

/** The line between two processes: node's channel between parent and child. */
export interface Line {
  send(message: object): void;
  onMessage(listener: (message: unknown) => void): void;
}

const ANSWER_MS = 3_000;
/** Longer than `ANSWER_MS`, because the supervisor first waits for the others. */
const ANSWERS_MS = 3_500;

const message = z.discriminatedUnion("workerRpc", [
  z.object({ workerRpc: z.literal("ask"), id: z.number(), question: z.string(), input: z.unknown() }),
  z.object({ workerRpc: z.literal("answer"), id: z.number(), values: z.array(z.unknown()) }),
  z.object({ workerRpc: z.literal("broadcast"), topic: z.string(), value: z.unknown() }),
]);

/** A node of one process. */
export function singleProcess(): WorkerRpc {
  const { answer, say } = knowing();
  return { workers: 1, isAlone: true, answer, ask: say, broadcast: () => undefined, onBroadcast: () => undefined };
}

/** One of several, with the supervisor at the other end of `line`; `workers` of them do what this one does. */
export function oneOfWorkers(line: Line, workers: number): WorkerRpc {
  const { answer, say } = knowing();
  const { hear, onBroadcast } = hearing();
  const asked = calls(line, ANSWERS_MS);
  line.onMessage((value) => {
    const heard = message.safeParse(value).data;
    if (heard?.workerRpc === "answer") asked.settle(heard.id, heard.values);
    if (heard?.workerRpc === "ask")
      void say(heard.question, heard.input).then((values) =>
        line.send({ workerRpc: "answer", id: heard.id, values: values.map((one) => one ?? null) }),
      );
    if (heard?.workerRpc === "broadcast") hear(heard.topic, heard.value);
  });
  return {
    workers,
    isAlone: false,
    answer,
    broadcast: (topic, value) => line.send({ workerRpc: "broadcast", topic, value }),
    onBroadcast,
    ask: async (question, input) => (await asked.put(question, input)) ?? say(question, input),
  };
}

export interface WorkerRpcHub extends WorkerRpc {
  /** Adds a process; the returned function removes it. A process that `onlyAsks` is never asked. */
  join(line: Line, options?: { readonly onlyAsks?: boolean }): () => void;
}

/** The supervisor's end: it passes every question to all joined processes, and adds its own answer. */
export function createWorkerRpcHub(): WorkerRpcHub {
  const { answer, say } = knowing();
  const { hear, onBroadcast } = hearing();
  const joined = new Set<ReturnType<typeof calls>>();
  const lines = new Set<Line>();

  function broadcast(topic: string, value: unknown, from?: Line): void {
    for (const line of lines) if (line !== from) line.send({ workerRpc: "broadcast", topic, value });
  }

  const ask = async (question: string, input?: unknown): Promise<readonly unknown[]> => {
    const others = [...joined].map((one) => one.put(question, input));
    return (await Promise.all([say(question, input), ...others])).flatMap((values) => values ?? []);
  };

  return {
    workers: 1,
    isAlone: false,
    answer,
    ask,
    broadcast: (topic, value) => broadcast(topic, value),
    onBroadcast,
    join(line, { onlyAsks = false } = {}) {
      const asked = calls(line, ANSWER_MS);
      lines.add(line);
      if (!onlyAsks) joined.add(asked);
      line.onMessage((value) => {
        const heard = message.safeParse(value).data;
        if (heard?.workerRpc === "answer") asked.settle(heard.id, heard.values);
        if (heard?.workerRpc === "ask")
          void ask(heard.question, heard.input).then((values) =>
            line.send({ workerRpc: "answer", id: heard.id, values }),
          );
        if (heard?.workerRpc === "broadcast") {
          hear(heard.topic, heard.value);
          broadcast(heard.topic, heard.value, line);
        }
      });
      return () => {
        joined.delete(asked);
        lines.delete(line);
        asked.end();
      };
    },
  };
}

function hearing() {
  const listeners = new Map<string, (value: unknown) => void>();
  return {
    hear: (topic: string, value: unknown): void => listeners.get(topic)?.(value),
    onBroadcast: (topic: string, listener: (value: unknown) => void) => void listeners.set(topic, listener),
  };
}

function knowing() {
  const known = new Map<string, (input: unknown) => unknown>();
  return {
    answer: (question: string, how: (input: unknown) => unknown) => void known.set(question, how),
    /**
     * Returns at most one answer. A failure gives no answer: the caller gets the answers of the processes that could
     * answer.
     */
    async say(question: string, input?: unknown): Promise<readonly unknown[]> {
      try {
        const value = await known.get(question)?.(input);
        return value === undefined ? [] : [value];
      } catch {
        return [];
      }
    },
  };
}

/** The questions sent over one line. Null means that there was no answer. */
function calls(line: Line, limitMs: number) {
  const waiting = new Map<number, (values: readonly unknown[] | null) => void>();
  let lastId = 0;
  return {
    put(question: string, input: unknown): Promise<readonly unknown[] | null> {
      const id = ++lastId;
      return new Promise((resolve) => {
        const timer = setTimeout(() => settle(null), limitMs);
        const settle = (values: readonly unknown[] | null) => {
          clearTimeout(timer);
          waiting.delete(id);
          resolve(values);
        };
        waiting.set(id, settle);
        line.send({ workerRpc: "ask", id, question, input: input ?? null });
      });
    },
    settle: (id: number, values: readonly unknown[]) => waiting.get(id)?.(values),
    end() {
      for (const settle of [...waiting.values()]) settle(null);
    },
  };
}

import { checkText } from "@quarterdeck/hooks/contract/text/check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type CheckWorker, TextChecker } from "@/components/policies/check/text-checker";

const context = { equipment: { builtins: [], models: true }, tools: [] };
const ask = (text: string) => ({ text, context });

/** A worker that answers when it is told to. */
class Manual implements CheckWorker {
  onmessage: CheckWorker["onmessage"] = null;
  onerror: CheckWorker["onerror"] = null;
  readonly texts: string[] = [];
  isEnded = false;
  postMessage({ text }: { text: string }) {
    this.texts.push(text);
  }
  terminate() {
    this.isEnded = true;
  }
  answer() {
    const data = checkText(this.texts.at(-1) ?? "", context);
    this.onmessage?.(new MessageEvent("message", { data }));
  }
}

function checker() {
  const workers: Manual[] = [];
  const answered: string[] = [];
  const start = () => {
    const worker = new Manual();
    workers.push(worker);
    return worker;
  };
  const it = new TextChecker({ start, onAnswer: (text) => void answered.push(text) });
  return { it, workers, answered };
}

afterEach(() => void vi.useRealTimers());

describe("a text is checked beside the page", () => {
  it("and of those typed meanwhile only the newest", () => {
    const { it: checks, workers, answered } = checker();
    for (const text of ["a", "b", "c", "d"]) checks.check(ask(text));
    expect(workers[0]?.texts).toEqual(["a"]);
    workers[0]?.answer();
    workers[0]?.answer();
    expect(workers[0]?.texts).toEqual(["a", "d"]);
    expect(answered).toEqual(["a", "d"]);
    expect(workers).toHaveLength(1);
  });
  it("and one that takes too long is given up; the next is checked by another worker", () => {
    vi.useFakeTimers();
    const { it: checks, workers, answered } = checker();
    checks.check(ask("endless"));
    checks.check(ask("short"));
    vi.advanceTimersByTime(10_000);
    expect(workers.map((worker) => worker.isEnded)).toEqual([true, false]);
    workers[1]?.answer();
    expect(answered).toEqual(["short"]);
  });
  it("or not at all where workers cannot be: nothing is thrown, nothing is answered", () => {
    const silent = new TextChecker({
      start: () => {
        throw new Error("no workers here");
      },
      onAnswer: () => expect.unreachable(),
    });
    silent.check(ask("a"));
    const { it: checks, workers, answered } = checker();
    checks.check(ask("a"));
    workers[0]?.onerror?.(new Event("error") as ErrorEvent); // holds: nobody reads it
    checks.check(ask("b"));
    expect(answered).toEqual([]);
    expect(workers).toHaveLength(1);
  });
});

/**
 * Sends texts to a worker, one at a time. Only the newest text that arrives during a check is checked next. A check
 * that takes too long is abandoned with its worker; the next one gets a new worker.
 */
import type { Asked } from "@/components/policies/check/check.worker";
import type { CheckView } from "@/server/policies/schema";

/** The part of a Worker that is used. */
export interface CheckWorker {
  onmessage: ((event: MessageEvent<CheckView>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  postMessage(asked: Asked): void;
  terminate(): void;
}

export interface TextCheckerOptions {
  readonly start: () => CheckWorker;
  readonly onAnswer: (text: string, view: CheckView) => void;
}

const GIVE_UP_MS = 10_000;

export class TextChecker {
  private worker: CheckWorker | null = null;
  private asked: Asked | null = null;
  private waiting: Asked | null = null;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private isBroken = false;

  constructor(private readonly options: TextCheckerOptions) {}

  /** Does nothing without workers, or if they cannot be started: the server checks too. */
  check(asked: Asked): void {
    if (this.isBroken) return;
    if (this.asked) this.waiting = asked;
    else this.ask(asked);
  }

  close(): void {
    clearTimeout(this.deadline);
    this.worker?.terminate();
    this.worker = null;
    this.asked = null;
    this.waiting = null;
  }

  private ask(asked: Asked): void {
    const worker = this.running();
    if (!worker) return;
    this.asked = asked;
    this.deadline = setTimeout(() => this.giveUp(), GIVE_UP_MS);
    worker.postMessage(asked);
  }

  private running(): CheckWorker | null {
    if (this.worker) return this.worker;
    try {
      const worker = this.options.start();
      worker.onmessage = ({ data }) => this.answer(data);
      worker.onerror = () => {
        this.isBroken = true;
        this.close();
      };
      this.worker = worker;
    } catch {
      this.isBroken = true;
    }
    return this.worker;
  }

  private answer(view: CheckView): void {
    const { asked } = this;
    this.settle();
    if (asked) this.options.onAnswer(asked.text, view);
    this.next();
  }

  private giveUp(): void {
    this.worker?.terminate();
    this.worker = null;
    this.settle();
    this.next();
  }

  private settle(): void {
    clearTimeout(this.deadline);
    this.asked = null;
  }

  private next(): void {
    const { waiting } = this;
    this.waiting = null;
    if (waiting) this.ask(waiting);
  }
}

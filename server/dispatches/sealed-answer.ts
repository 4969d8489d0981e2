import { AppError } from "../errors/app-error.ts";
import { opened, sealed } from "../platform/secrets.ts";
import type { FirstAnswer, RecordedDelivery } from "../recording/index.ts";

/** Answers that held a secret, encrypted for the one delivery they were given to. `key` has 32 bytes. */
export function createSealedAnswers(key: Buffer) {
  const boundTo = (eventId: string) => `answer\n${eventId}`;
  return {
    seal: ({ eventId }: RecordedDelivery, answer: string): Buffer => sealed(key, boundTo(eventId), answer),
    /** The answer as it was given. Errors: `internal` when this installation's key is another now. */
    whole({ answer, sealedAnswer }: Pick<FirstAnswer, "answer" | "sealedAnswer">, eventId: string): string {
      if (!sealedAnswer) return answer;
      const found = opened(key, boundTo(eventId), sealedAnswer);
      if (found === null) throw new AppError("internal", `the answer to delivery ${eventId} cannot be opened`);
      return found;
    },
  };
}

export type SealedAnswers = ReturnType<typeof createSealedAnswers>;

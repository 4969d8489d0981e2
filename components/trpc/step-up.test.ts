import { createTRPCClient, TRPCClientError, type TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { expect, it, vi } from "vitest";
import { answerActs, askToConfirm, stepUpLink, subscribeToActs, waitingActs } from "@/components/trpc/step-up";
import type { AppRouter } from "@/server/composition/router";

const SAYS = "To resume what was halted, confirm that it is you.";
const refusal = (appCode: string) =>
  TRPCClientError.from<AppRouter>({
    error: { code: -32_003, message: SAYS, data: { code: "FORBIDDEN", httpStatus: 403, path: "x", appCode } },
  } as never); // only what the link and its readers look at

/** A server that refuses with these codes, one a call, and then does as it is asked. */
function clientOf(codes: readonly string[], ask: (says: string) => Promise<boolean>) {
  const left = [...codes];
  const sent: unknown[] = [];
  const server: TRPCLink<AppRouter> =
    () =>
    ({ op }) =>
      observable((observer) => {
        sent.push(op.input);
        const code = left.shift();
        if (code !== undefined) return observer.error(refusal(code));
        observer.next({ result: { data: undefined } });
        observer.complete();
      });
  const client = createTRPCClient<AppRouter>({ links: [stepUpLink(ask), server] });
  return { sent, resume: () => client.halts.resume.mutate({ id: "a halt", reason: "over" }) };
}

it("sends a call that was refused until the person confirms once more, the same, and answers with its answer", async () => {
  const ask = vi.fn(async () => true);
  const { sent, resume } = clientOf(["step_up_required"], ask);
  await resume();
  expect(ask.mock.calls).toEqual([[SAYS]]);
  expect(sent).toEqual([
    { id: "a halt", reason: "over" },
    { id: "a halt", reason: "over" },
  ]);
});

it("sends it once more and no oftener: whoever is refused again hears so", async () => {
  const ask = vi.fn(async () => true);
  const { sent, resume } = clientOf(["step_up_required", "step_up_required"], ask);
  await expect(resume()).rejects.toThrow(SAYS);
  expect([ask.mock.calls.length, sent.length]).toEqual([1, 2]);
});

it("sends nothing more when the person closes the dialog", async () => {
  const { sent, resume } = clientOf(["step_up_required"], async () => false);
  await expect(resume()).rejects.toThrow(SAYS);
  expect(sent).toHaveLength(1);
});

it("asks about no other refusal", async () => {
  const ask = vi.fn(async () => true);
  const { sent, resume } = clientOf(["forbidden"], ask);
  await expect(resume()).rejects.toThrow(SAYS);
  expect([ask.mock.calls.length, sent.length]).toEqual([0, 1]);
});

it("a page without the dialog is refused at once", async () => {
  expect(await askToConfirm(SAYS)).toBe(false);
});

it("acts that wait together are all named, each once, and have one answer", async () => {
  const erase = "To erase a session, confirm that it is you.";
  const shown: (readonly string[])[] = [];
  const close = subscribeToActs(() => shown.push(waitingActs()));
  const answers = Promise.all([askToConfirm(SAYS), askToConfirm(erase), askToConfirm(SAYS)]);
  expect(shown).toEqual([[SAYS], [SAYS, erase]]);
  answerActs(true);
  expect(await answers).toEqual([true, true, true]);
  expect(waitingActs()).toEqual([]);
  close();
});

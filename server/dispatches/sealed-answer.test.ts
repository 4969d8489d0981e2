import { expect, it } from "vitest";
import { createSealedAnswers } from "./sealed-answer.ts";

const delivery = { eventId: "01a200e2-8c06-7206-831a-73a8af2cbdef", bodySha256: Buffer.alloc(32) };
const answer = '{"hook_specific_output":{"updated_input":{"header":"a secret"}}}';
const sealer = createSealedAnswers(Buffer.alloc(32, 1));

it("an answer opens for the delivery it was given to, and a masked one without a seal is itself", () => {
  const sealedAnswer = sealer.seal(delivery, answer);
  expect(sealer.whole({ answer: "{}", sealedAnswer }, delivery.eventId)).toBe(answer);
  expect(sealer.whole({ answer: "{}", sealedAnswer: null }, delivery.eventId)).toBe("{}");
});

it("an answer that cannot be opened is refused, not answered in its masked form", () => {
  const sealedAnswer = sealer.seal(delivery, answer);
  const refused = expect.objectContaining({ code: "internal" });
  expect(() => sealer.whole({ answer: "{}", sealedAnswer }, "01a200e2-8c06-7206-831a-000000000000")).toThrow(refused);
  const elsewhere = createSealedAnswers(Buffer.alloc(32, 2));
  expect(() => elsewhere.whole({ answer: "{}", sealedAnswer }, delivery.eventId)).toThrow(refused);
});

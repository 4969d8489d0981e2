import { expect, it } from "vitest";
import { createAnsweredNonces } from "./answered-nonces.ts";

it("takes a nonce once for each bearer, and forgets the oldest beyond its limit", () => {
  const nonces = createAnsweredNonces(2);
  const takes = (["a 1", "a 1", "b 1", "a 2", "a 1"] as const).map((one) => {
    const [bearer = "", nonce = ""] = one.split(" ");
    return nonces.take(bearer, nonce);
  });
  expect(takes).toEqual([true, false, true, true, true]);
});

import { expect, it } from "vitest";
import type { AppError } from "../errors/app-error.ts";
import { createFailureThrottle } from "./failure-throttle.ts";

const codeOf = (work: () => void) => {
  try {
    work();
    return "nothing was thrown";
  } catch (error) {
    return (error as AppError).code; // what a throttle throws
  }
};

it("lets a key fail so often and then hears it no more, whoever else asks", () => {
  const throttle = createFailureThrottle({ failuresMax: 2, windowMs: 60_000 });
  throttle.failed("a");
  expect(codeOf(() => throttle.check("a"))).toBe("nothing was thrown");
  throttle.failed("a");
  expect(codeOf(() => throttle.check("a"))).toBe("too_many_attempts");
  expect(codeOf(() => throttle.check("b"))).toBe("nothing was thrown");
});

it("forgets the failures of whoever succeeds, and of everybody in time", async () => {
  const throttle = createFailureThrottle({ failuresMax: 1, windowMs: 20 });
  throttle.failed("a");
  throttle.succeeded("a");
  expect(codeOf(() => throttle.check("a"))).toBe("nothing was thrown");
  throttle.failed("b");
  await expect.poll(() => codeOf(() => throttle.check("b"))).toBe("nothing was thrown");
});

import { expect, it } from "vitest";
import { compileMatcher } from "../contract/matcher.ts";
import { compileMatchers } from "./compile-matchers.ts";

it("the matchers of a plan are compiled ahead of it, with a pause after each", async () => {
  const hooks = [{ type: "builtin", command: "redact_secrets" }];
  const matchers = Array.from({ length: 50 }, (_, at) => `ahead_${at}(a|b)?`);
  const compiledAtPause: boolean[] = [];
  const known = new Set<unknown>();
  await compileMatchers(
    [{ pre_tool_use: matchers.map((matcher) => ({ matcher, hooks })), stop: hooks }, { stop: hooks }],
    () => {
      const matcher = compileMatcher(matchers[compiledAtPause.length] ?? "");
      known.add(matcher);
      compiledAtPause.push(matcher.ok);
      return Promise.resolve();
    },
  );
  expect(compiledAtPause).toEqual(matchers.map(() => true));
  // A compiled matcher is kept.
  expect(matchers.every((matcher) => known.has(compileMatcher(matcher)))).toBe(true);
});

import { MutationObserver, onlineManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, it } from "vitest";
import { makeQueryClient } from "@/components/trpc/query-client";

afterEach(() => onlineManager.setOnline(true));

it("refuses an act without a network, and does not do it when the network is back", async () => {
  onlineManager.setOnline(false);
  let attempts = 0;
  const act = new MutationObserver(makeQueryClient(), {
    mutationFn: () => {
      attempts++;
      return Promise.reject(new Error("no network"));
    },
  });
  await expect(act.mutate()).rejects.toThrow("no network");
  onlineManager.setOnline(true);
  expect(attempts).toBe(1);
});

it("fetches a first answer again that began before an act", async () => {
  const queries = makeQueryClient();
  let answerFirst: (labels: string) => void = () => undefined;
  const first = new Promise<string>((resolve) => {
    answerFirst = resolve;
  });
  const answers = [first, Promise.resolve("after the act")];
  const label = new QueryObserver(queries, { queryKey: [["labels"]], queryFn: () => answers.shift() ?? "no more" });
  const seen = new Promise((done) => label.subscribe(({ data }) => data === "after the act" && done(data)));
  const act = new MutationObserver(queries, {
    mutationFn: () => Promise.resolve(),
    onSuccess: () => void queries.invalidateQueries({ queryKey: [["labels"]] }),
  });
  await act.mutate();
  answerFirst("before the act");
  expect(await seen).toBe("after the act");
});

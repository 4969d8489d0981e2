import { MutationObserver, onlineManager } from "@tanstack/react-query";
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
